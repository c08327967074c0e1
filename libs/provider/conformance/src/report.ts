/** The report of a run: for people, as JUnit XML, as JSON. */

import type { CaseResult, Group } from './run.ts'

const groups: { readonly [G in Group]: string } = {
  instructions: 'Instructions and their proof',
  reads: 'Reads',
  wire: 'The interface itself',
}

const names = Object.keys(groups) as Group[]

function count(results: readonly CaseResult[], outcome: CaseResult['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length
}

/** True if no case failed and at least one passed. Cases that were left out do not count. */
export function isPassed(results: readonly CaseResult[]): boolean {
  return count(results, 'failed') === 0 && count(results, 'passed') > 0
}

/** Lines for a terminal: what failed, what was left out and why, the numbers. */
export function textReport(results: readonly CaseResult[]): readonly string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  const leftOut = Map.groupBy(
    results.filter(({ outcome }) => outcome === 'left_out'),
    ({ why = '' }) => why,
  )
  return [
    ...failed.flatMap(({ name, why = '' }) => [`✗ ${name}`, ...why.split('\n').map((line) => `    ${line}`)]),
    ...(failed.length === 0 ? [] : ['']),
    ...[...leftOut].map(([why, cases]) => `${cases.length} cases left out: ${why}`),
    ...names.map((group) => {
      const own = results.filter((result) => result.group === group)
      return `${groups[group]}: ${count(own, 'passed')} passed, ${count(own, 'failed')} failed, ${count(own, 'left_out')} left out`
    }),
    isPassed(results) ? 'It conforms.' : 'It does not conform.',
  ]
}

/** The results as JUnit XML: a suite for each group. */
export function junitReport(results: readonly CaseResult[]): string {
  const suites = names.map((group) => {
    const own = results.filter((result) => result.group === group)
    const counts = `tests="${own.length}" failures="${count(own, 'failed')}" skipped="${count(own, 'left_out')}"`
    return [`  <testsuite name="${group}" ${counts}>`, ...own.map((result) => testcase(result)), '  </testsuite>'].join(
      '\n',
    )
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="provider-conformance">\n${suites.join('\n')}\n</testsuites>\n`
}

function testcase({ group, name, outcome, why = '', durationMs }: CaseResult): string {
  const head = `    <testcase classname="${group}" name="${escaped(name)}" time="${(durationMs / 1_000).toFixed(3)}"`
  if (outcome === 'passed') return `${head}/>`
  const inner = outcome === 'failed' ? `<failure message="${escaped(why)}"/>` : `<skipped message="${escaped(why)}"/>`
  return `${head}>${inner}</testcase>`
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? '')
    .replaceAll('\n', '&#10;')
}

export function jsonReport(url: string, results: readonly CaseResult[]): string {
  const counts = {
    passed: count(results, 'passed'),
    failed: count(results, 'failed'),
    left_out: count(results, 'left_out'),
  }
  return `${JSON.stringify({ provider: url, conforms: isPassed(results), ...counts, cases: results }, null, 2)}\n`
}
