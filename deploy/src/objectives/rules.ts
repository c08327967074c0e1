/** Generates the chart's `files/objectives.yaml`: recording rules and burn-rate alerts for each objective. */

import { stringify } from 'yaml'
import { burnRates, minEvents, type Objective, objectives, percent, ratioOf } from './table.ts'

const head = `# Written by \`pnpm gen\`: change deploy/src/objectives/table.ts. Placeholders as in alerts.yaml.`

const windows = burnRates.flatMap(({ long, short }) => [short, long])

/** Returns the file, with NAMESPACE and RUNBOOKS as placeholders. */
export function objectiveRules(): string {
  const rules = objectives.flatMap((objective) => [
    ...windows.map((window) => ({ record: ratioOf(objective, window), expr: badShare(objective, window) })),
    ...burnRates.map((rate) => alertOf(objective, rate)),
  ])
  const groups = [{ name: 'financial-agents.objectives', rules }]
  return `${head}\n${stringify({ groups }, { lineWidth: 0 }).trimEnd()}`
}

function badShare({ all, good }: Objective, window: string): string {
  const every = sumOf('rate', all, window)
  return `1 - (${sumOf('rate', good, window)} or 0 * ${every}) / (${every} > 0)`
}

function alertOf(objective: Objective, rate: (typeof burnRates)[number]) {
  const { alert, budget, all, bad, budgetOf } = objective
  const burns = [rate.long, rate.short].map(
    (window) => `${ratioOf(objective, window)}{namespace="NAMESPACE"} > ${rate.factor} * ${budget}`,
  )
  return {
    alert,
    expr: [...burns, `${sumOf('increase', all, rate.long)} > ${minEvents}`].join(' and '),
    for: rate.for,
    labels: { severity: rate.severity },
    annotations: {
      summary: `{{ $value | humanizePercentage }} ${bad} in the last ${rate.lasted}`,
      description: `At this rate the month's budget of ${budgetOf} (${percent(budget)}) is gone in ${rate.goneIn}.`,
      runbook_url: `RUNBOOKS/${alert}.md`,
    },
  }
}

function sumOf(change: 'rate' | 'increase', { metric, matchers }: Objective['all'], window: string): string {
  const selector = ['namespace="NAMESPACE"', ...(matchers ? [matchers] : [])].join(', ')
  return `sum by (namespace) (${change}(${metric}{${selector}}[${window}]))`
}
