/** Generates `deploy/guide/objectives.md`: the objectives and their alerts for operators. */

import { burnRates, minEvents, objectives, percent, windowDays } from './table.ts'

const introduction = `# Objectives

Each objective allows a share of bad events over ${windowDays} days, its budget. Two alerts watch how fast a budget is spent. The dashboard
shows it in the row _The customers' view_, and the time to outcomes by kind in the row _Writes_.`

const explanation = `An alert fires while both of its windows spend the budget that fast: the long one shows that it matters, and the short one that it still
lasts. With fewer than ${minEvents} events in the long window it does not fire.`

const operations = `## The time to an outcome

The time of an operation begins with its acceptance, when its state becomes \`accepted\`. The time that its owner takes to approve it at the
provider comes before, in \`requires_action\`, and does not count.

An operation that is still open is in no histogram. Therefore other alerts watch age: OperationsUnclaimed for operations that wait for the submitter,
OperationsIndeterminateOld for uncertain ones. No alert watches the age of \`submitted\` payments, because some networks take
days. If yours settles in seconds, write an alert of your own on \`financial_agents_operations_final_outcome_duration_seconds\` with the
kinds that pay.

## Other objectives

Change \`deploy/src/objectives/table.ts\` and run \`npx -y pnpm@12 gen\`. A time must be a bucket of its histogram
(\`libs/platform/runtime/src/metrics/metric-row.ts\`). Rules, panels and this page follow.`

/** Returns the whole document. */
export function objectivesDocument(): string {
  const promises = table(
    ['Objective', 'Target', 'Budget', 'What counts', 'Alert'],
    objectives.map(({ promise, budget, counts, alert }) => [
      promise,
      percent(1 - budget),
      percent(budget),
      counts,
      `[${alert}](../runbooks/${alert}.md)`,
    ]),
  )
  const alerts = table(
    ['Severity', 'Budget spent', 'Gone in', 'Windows', 'For'],
    burnRates.map((rate) => [
      rate.severity,
      `${rate.factor} times too fast`,
      rate.goneIn,
      `${rate.long} and ${rate.short}`,
      rate.for,
    ]),
  )
  return [introduction, promises, alerts, explanation, operations].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
