/** Alerts, dashboard, runbooks and the table of metrics agree with each other. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardQueries } from '@financial-agents/deploy/dashboard'
import { objectives } from '@financial-agents/deploy/objectives'
import { type MetricRow, prometheusLabel, prometheusName } from '@financial-agents/runtime/metrics/metric-row'
import { metricTable } from '@financial-agents/runtime/metrics/table'
import { describe, expect, test } from 'vitest'
import { alerts, dashboardText, rules, runbooks, selectorsOf } from './alerts.ts'

/** Labels that Prometheus and the chart's ServiceMonitor put on every series, and our own `service_name`. */
const ofTarget = ['namespace', 'pod', 'instance', 'service_name']
/** Metrics of kube-state-metrics, and of the exporters that the guide names, with the labels in use. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  kube_deployment_status_replicas_ready: ['namespace', 'deployment'],
  kube_deployment_spec_replicas: ['namespace', 'deployment'],
  kube_job_status_failed: ['namespace', 'job_name'],
  kube_job_failed: ['namespace', 'job_name', 'condition'],
  kube_cronjob_status_last_schedule_time: ['namespace', 'cronjob'],
  kube_cronjob_status_last_successful_time: ['namespace', 'cronjob'],
  kubelet_volume_stats_available_bytes: ['namespace', 'persistentvolumeclaim'],
  kubelet_volume_stats_capacity_bytes: ['namespace', 'persistentvolumeclaim'],
  cnpg_collector_last_available_backup_timestamp: ['namespace', 'pod'],
  cnpg_pg_stat_archiver_seconds_since_last_archival: ['namespace', 'pod'],
  cnpg_collector_pg_wal_archive_status: ['namespace', 'pod', 'value'],
  certmanager_certificate_expiration_timestamp_seconds: ['exported_namespace', 'name'],
}

const known = new Map<string, readonly string[]>(Object.entries(foreign))
for (const [name, row] of Object.entries(metricTable as Readonly<Record<string, MetricRow>>)) {
  const labels = [...row.labels.map(prometheusLabel), ...ofTarget]
  const shown = prometheusName(name, row)
  if (row.type === 'histogram') {
    for (const suffix of ['_count', '_sum']) known.set(shown + suffix, labels)
    known.set(`${shown}_bucket`, [...labels, 'le'])
  } else known.set(shown, labels)
}
for (const { record } of rules) if (record) known.set(record, ofTarget)

const expressions = [...rules.map((rule) => rule.expr), ...dashboardQueries]

test('no query names a metric or a label that the table does not have', () => {
  const wrong = expressions.flatMap((expression) =>
    selectorsOf(expression).flatMap(({ name, labels }) => {
      const declared = known.get(name)
      if (!declared) return [`${name} is in no table`]
      return labels.filter((label) => !declared.includes(label)).map((label) => `${name} has no label ${label}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('every query selects one namespace', () => {
  const wrong = expressions
    .flatMap(selectorsOf)
    .filter(({ labels }) => !labels.some((label) => label.endsWith('namespace')))
  expect(wrong).toEqual([])
})

test('the time of an objective is a bucket of its histogram', () => {
  const wrong = objectives.flatMap(({ good }) => {
    const time = /le="([^"]+)"/.exec(good.matchers ?? '')?.[1]
    const [, row] = Object.entries(metricTable as Readonly<Record<string, MetricRow>>).find(
      ([name, one]) => `${prometheusName(name, one)}_bucket` === good.metric,
    ) ?? ['', undefined]
    return time === undefined || row?.buckets?.includes(Number(time)) ? [] : [`${good.metric} ${time}`]
  })
  expect(wrong).toEqual([])
})

test('every metric of the table is used by an alert or on the dashboard', () => {
  const used = new Set(expressions.flatMap(selectorsOf).map(({ name }) => name.replace(/_(?:bucket|count|sum)$/, '')))
  const unused = Object.entries(metricTable as Readonly<Record<string, MetricRow>>)
    .map(([name, row]) => prometheusName(name, row))
    .filter((name) => !used.has(name.replace(/_count$/, '')))
  // These help when a single process is examined.
  expect(unused.toSorted()).toEqual([
    'financial_agents_db_commits_unknown_total',
    'financial_agents_process_resident_memory_bytes',
    'financial_agents_stream_consumer_ack_pending',
    'financial_agents_stream_refusals_total',
    'financial_agents_submitter_claims_total',
    'http_server_active_requests',
  ])
})

describe.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))('%s', (name, rule) => {
  test('says how bad it is, what it means and where its runbook is', () => {
    expect(['critical', 'warning']).toContain(rule.labels?.['severity'])
    expect(rule.annotations?.['summary']).toBeTruthy()
    expect(rule.annotations?.['description']).toBeTruthy()
    expect(rule.annotations?.['runbook_url']).toBe(`https://runbooks.test/${name}.md`)
  })

  test('has a runbook that says what it means, how to see it, what to do and when to escalate', () => {
    const page = readFileSync(join(runbooks, `${name}.md`), 'utf8')
    expect(page.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      `# ${name}`,
      "## What it means for customers' money",
      '## How to see it',
      '## What to do, in this order',
      '## When to escalate',
    ])
  })
})

test('every runbook belongs to an existing alert', () => {
  const pages = readdirSync(runbooks).filter((file) => file !== 'README.md')
  expect(pages.toSorted()).toEqual([...new Set(alerts.map((rule) => `${rule.alert}.md`))].toSorted())
})

test('the README of the runbooks lists every alert with its severities', () => {
  const rows = readFileSync(join(runbooks, 'README.md'), 'utf8').matchAll(
    /^\| \[(\w+)\]\((\w+)\.md\) +\| ([a-z, ]+?) +\|$/gm,
  )
  const listed = [...rows].map(([, name, page, severities]) => [name, page, severities])
  const severitiesOf = (name: string) =>
    new Set(alerts.filter((rule) => rule.alert === name).map((rule) => rule.labels?.['severity'] ?? ''))
  const names = [...new Set(alerts.map((rule) => rule.alert ?? ''))].toSorted()
  expect(listed).toEqual(names.map((name) => [name, name, [...severitiesOf(name)].toSorted().join(', ')]))
})

test('the dashboard fits any Grafana: data source and namespace are variables', () => {
  const { templating, panels, uid, id } = JSON.parse(dashboardText) as {
    templating: { list: { name: string }[] }
    panels: { type: string; datasource?: { uid: string }; targets?: { datasource: { uid: string } }[] }[]
    uid: string
    id?: number
  }
  expect({ uid, id }).toEqual({ uid: 'financial-agents', id: undefined })
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'route'])
  const sources = panels.flatMap(({ datasource, targets = [] }) => [
    datasource,
    ...targets.map((one) => one.datasource),
  ])
  expect(new Set(sources.filter(Boolean).map((source) => source?.uid))).toEqual(new Set([`\${datasource}`]))
})
