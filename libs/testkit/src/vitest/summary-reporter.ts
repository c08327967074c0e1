/** Vitest reporter: closes the run with one line of counts, taken from the run's own results. */

import type { Reporter, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
      // A file that could not even be collected counts as one failure.
      if (module.state() === 'failed' && (tests === 0 || module.errors().length > 0)) failed += 1
    }
    // Last of all: after what the other reporters print.
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}
