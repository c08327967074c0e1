/** The chart's alerts as one release renders them, and the selectors of PromQL expressions. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const files = join(root, 'helm/financial-agents-api/files')

export type Rule = {
  record?: string
  alert?: string
  expr: string
  for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

/** As the chart writes the file, for the namespace `test` and the name prefix `fa`. */
export const alertsText = readFileSync(join(files, 'alerts.yaml'), 'utf8')
  .replaceAll('NAMESPACE', 'test')
  .replaceAll('FULLNAME', 'fa')
  .replaceAll('RUNBOOKS', 'https://runbooks.test')

export const rules = (parse(alertsText) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)

export const alerts = rules.filter((rule) => rule.alert !== undefined)

export const dashboardText = readFileSync(join(files, 'dashboard.json'), 'utf8')

/** The folder of runbooks; each file is named after its alert. */
export const runbooks = join(root, 'deploy/runbooks')

/**
 * Returns the metrics that an expression selects, with the labels in their selectors. Functions, keywords and groupings
 * do not count.
 */
export function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  const found = expression.matchAll(
    /\b([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(?:\{([^}]*)\}|\[)|\b(financial_agents:[a-z0-9_:]+)/g,
  )
  return Array.from(found, ([, name, inside = '', recorded]) => ({
    name: name ?? recorded ?? '',
    labels: Array.from(inside.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)\s*(?:=~|!~|!=|=)\s*"/g), ([, label]) => label ?? ''),
  }))
}
