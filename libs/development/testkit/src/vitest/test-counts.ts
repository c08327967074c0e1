/** The counts of a test run, with the reasons for skipped tests, and the lines that report them. */

/** The counts of one run. Plain data: a run that another process started sends it there. */
export type Counts = {
  passed: number
  failed: number
  skipped: number
  /** Tests that `--testNamePattern` or `--bail` left out. */
  notRun: number
  /** The number of skipped tests for each reason. */
  reasons: [reason: string, tests: number][]
}

/** Returns a line for each reason, and one line with the sums of all runs. */
export function linesOf(runs: readonly Counts[]): string {
  const sum = (member: 'passed' | 'failed' | 'skipped' | 'notRun') =>
    runs.reduce((total, counts) => total + counts[member], 0)
  const why = runs.flatMap(({ reasons }) => reasons).map(([reason, tests]) => `skipped ${tests}: ${reason}\n`)
  const left = sum('notRun') > 0 ? `, ${sum('notRun')} not run` : ''
  return `${why.join('')}${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped${left}\n`
}
