/**
 * promtool accepts the alerts. Each fires in the situation it is meant for and in no other. The chart leaves out those that
 * have no metrics.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type AlertCase, alertCases, quietSeries } from './alert-cases.ts'
import { alerts, alertsText, groups, type Rule } from './alerts.ts'
import { profile } from './cases.ts'
import { helmTemplate, run } from './render.ts'
import { needTools, toolPath } from './tools.ts'

needTools('promtool', 'helm')

const folder = mkdtempSync(join(tmpdir(), 'financial-agents-alerts-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'alerts.yaml'), alertsText)

test('promtool takes every rule', async () => {
  const { code, stdout, stderr } = await run(toolPath('promtool'), ['check', 'rules', join(folder, 'alerts.yaml')])
  expect(code, stdout + stderr).toBe(0)
})

test('every alert has a case of each of its severities', () => {
  const keyOf = (alert: string | undefined, severity: string | undefined) => `${alert} ${severity}`
  const cases = new Set(alertCases.map(({ alert, severity }) => keyOf(alert, severity)))
  expect(cases).toEqual(new Set(alerts.map((rule) => keyOf(rule.alert, rule.labels?.['severity']))))
})

// promtool evaluates every rule of a file for every case. So each case is tested with the group of its alert alone.
test('each fires on the series that it is meant for, and is quiet before they begin', async () => {
  const files = groups.map((group) => {
    const rules = `${group.name}.yaml`
    writeFileSync(join(folder, rules), stringify({ groups: [group] }))
    const names = new Set(group.rules.map((rule) => rule.alert))
    const tests = alertCases.filter(({ alert }) => names.has(alert)).map(firing)
    return writeTests(`firing-${group.name}`, rules, tests)
  })
  await expectPasses(files)
})

test('none fires on a normal day', async () => {
  const expected = ['6m', '90m', '390m'].map((at) => ({ expr: 'ALERTS', eval_time: at, exp_samples: [] }))
  const day = { interval: '1m', input_series: inputOf(quietSeries), promql_expr_test: expected }
  await expectPasses([writeTests('quiet', 'alerts.yaml', [day])])
})

test('the chart writes an alert on servers only if its value says where the metrics are', async () => {
  const observed = {
    'observability.prometheusRule.enabled': true,
    'observability.runbookBaseUrl': 'https://runbooks.test',
  }
  const alertsWith = async (servers: Readonly<Record<string, string>>) => {
    const { stdout, stderr } = await helmTemplate({
      helm: toolPath('helm'),
      values: profile('production'),
      set: { ...observed, 'observability.prometheusRule.servers': servers },
      more: ['--show-only', 'templates/prometheus-rule.yaml'],
    })
    const { spec } = parse(stdout) as { spec: { groups: { name: string; rules: Rule[] }[] } }
    expect(stderr).toBe('')
    return spec.groups.flatMap(({ rules }) => rules)
  }
  const always = await alertsWith({})
  const all = new Set(alerts.map(({ alert }) => alert))
  const named = new Set(always.map(({ alert }) => alert))
  expect([...all].filter((name) => !named.has(name))).toEqual([
    'VolumeFilling',
    'BaseBackupOld',
    'WalNotArchived',
    'CertificateExpiring',
  ])
  const more = await alertsWith({ volumes: 'namespace="postgres"' })
  expect(more.slice(always.length).map(({ alert }) => alert)).toEqual(['VolumeFilling', 'VolumeFilling'])
  expect(more.at(-1)?.expr).toContain('kubelet_volume_stats_available_bytes{namespace="postgres"}')
})

function firing({ alert, severity, series, byMin }: AlertCase) {
  const expr = `count by (alertname, severity) (ALERTS{alertname="${alert}", severity="${severity}", alertstate="firing"} > 0) > bool 0`
  const labels = `{alertname="${alert}", severity="${severity}"}`
  return {
    interval: '1m',
    input_series: inputOf(series),
    promql_expr_test: [
      { expr, eval_time: '0m', exp_samples: [] },
      { expr, eval_time: `${byMin}m`, exp_samples: [{ labels, value: 1 }] },
    ],
  }
}

function inputOf(series: Readonly<Record<string, string>>) {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }))
}

/** Writes tests of promtool for a file of rules. Returns their path. */
function writeTests(name: string, rules: string, tests: unknown[]): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '30s', tests }))
  return file
}

async function expectPasses(files: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(toolPath('promtool'), ['test', 'rules', ...files])
  expect(code, stdout + stderr).toBe(0)
}
