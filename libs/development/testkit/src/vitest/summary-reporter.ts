/**
 * Vitest reporter: ends the output of a run with the reasons for skipped tests and one line of counts. Both come from
 * the run's own results. A run that the command `test` started beside another sends its counts there instead.
 */

import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { type Counts, linesOf } from './test-counts.ts'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = countsOf(modules, unhandledErrors.length)
    if (process.send) process.send(counts)
    // Printed after the output of every other reporter.
    else process.once('exit', () => process.stdout.write(linesOf([counts])))
  }
}

export function countsOf(modules: readonly TestModule[], errors: number): Counts {
  const counts = { passed: 0, failed: errors, skipped: 0, notRun: 0 }
  const reasons = new Map<string, number>()
  for (const module of modules) {
    let tests = 0
    for (const test of module.children.allTests()) {
      tests += 1
      const result = test.result()
      if (result.state === 'passed') counts.passed += 1
      else if (result.state === 'failed') counts.failed += 1
      else if (result.state === 'pending' || !isWanted(test)) counts.notRun += 1
      else {
        counts.skipped += 1
        const reason = ('note' in result && result.note) || 'no reason given'
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
    }
    // A file that cannot be collected counts as one failure.
    if (module.state() === 'failed' && (tests === 0 || module.errors().length > 0)) counts.failed += 1
  }
  return { ...counts, reasons: [...reasons] }
}

/** Vitest also reports a test as skipped if its name does not match the pattern of the command. */
function isWanted({ fullName, project }: TestCase): boolean {
  return project.config.testNamePattern?.test(fullName) ?? true
}
