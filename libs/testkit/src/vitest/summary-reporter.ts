/**
 * Vitest reporter: ends the output of a run with the reasons for skipped tests and one line of counts. Both come from
 * the run's own results.
 */

import type { Reporter, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    const reasons = new Map<string, number>()
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const result = test.result()
        if (result.state === 'passed') passed += 1
        else if (result.state === 'failed') failed += 1
        else {
          skipped += 1
          const reason = ('note' in result && result.note) || 'no reason given'
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        }
      }
      // A file that cannot be collected counts as one failure.
      if (module.state() === 'failed' && (tests === 0 || module.errors().length > 0)) failed += 1
    }
    const why = [...reasons].map(([reason, count]) => `skipped ${count}: ${reason}\n`).join('')
    // Printed after the output of every other reporter.
    process.once('exit', () => process.stdout.write(`${why}${passed} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}
