/** The chart's alerts as one release renders them, and the selectors of PromQL expressions. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

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

/** The values of the guide for CloudNativePG and cert-manager, by their placeholders. */
export const servers: Readonly<Record<string, string>> = valuesOfGuide()

/** As the chart writes the files, for the namespace `test` and the name prefix `fa`, and with the values of the guide. */
export const groups = ['objectives', 'alerts', 'server-alerts'].flatMap((name) => {
  const text = readFileSync(join(files, `${name}.yaml`), 'utf8')
    .replaceAll('NAMESPACE', 'test')
    .replaceAll('FULLNAME', 'fa')
    .replaceAll('RUNBOOKS', 'https://runbooks.test')
    .replaceAll(/VOLUMES|BASE_BACKUP_AGE|WAL_ARCHIVE_AGE|CERTIFICATE_LIFETIME/g, (word) => servers[word] ?? word)
  return (parse(text) as { groups: { name: string; rules: Rule[] }[] }).groups
})

export const alertsText = stringify({ groups }, { lineWidth: 0 })

export const rules = groups.flatMap((group) => group.rules)

function valuesOfGuide() {
  const page = readFileSync(join(root, 'deploy/guide/install.md'), 'utf8')
  const block = /```yaml\n(observability:\n[^`]+)```/.exec(page)?.[1] ?? ''
  const { volumes, baseBackupAge, walArchiveAge, certificateLifetime } = (
    parse(block) as { observability: { prometheusRule: { servers: Record<string, string> } } }
  ).observability.prometheusRule.servers
  return Object.fromEntries(
    Object.entries({
      VOLUMES: volumes,
      BASE_BACKUP_AGE: baseBackupAge,
      WAL_ARCHIVE_AGE: walArchiveAge,
      CERTIFICATE_LIFETIME: certificateLifetime,
    }).map(([word, value]) => [word, value ?? '']),
  )
}

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
