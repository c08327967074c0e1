/** The running system's `/metrics`: exactly the metrics of the table, and no personal data. */

import { randomUUID } from 'node:crypto'
import { operationStates, terminalStates } from '@financial-agents/contract/machine'
import { type MetricRow, prometheusLabel, prometheusName } from '@financial-agents/runtime/metrics/metric-row'
import { metricTable } from '@financial-agents/runtime/metrics/table'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, create, pollUntil, providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { startCollector } from './otlp.test-helper.ts'

const rows = Object.entries(metricTable as Readonly<Record<string, MetricRow>>)
const mark = `Rent-${randomUUID().slice(0, 8)}`
const open = `Open-${randomUUID().slice(0, 8)}`

let collector: Awaited<ReturnType<typeof startCollector>>
let stack: TestStack
/** The output of each service after some traffic. */
let shown: Map<ServiceName, string>
/** The readings that had failed before the output. */
let failuresBefore: number
let secrets: string[]

beforeAll(async () => {
  collector = await startCollector()
  // One service runs with telemetry, the others without.
  const telemetry = {
    ...collector.variables,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  }
  stack = await startTestStack({ environment: { submitter: telemetry } })
  const client = await clientOf(
    stack,
    'ines-agent',
    'beneficiaries:read beneficiaries:write operations:read accounts:read',
  )
  const created = await create(client, mark)
  await pollUntil(client, created.body.id, ['succeeded'])
  await providerOf(stack).fault('never_settle', open)
  const waiting = await create(client, open)
  await pollUntil(client, waiting.body.id, ['submitted'])
  await client.request('GET', '/v1/accounts')
  await client.request('GET', `/v1/operations/${randomUUID()}`)
  await fetch(`${stack.baseUrl}/v1/operations?idempotency_key=${mark}`)
  await fetch(`${stack.baseUrl}/nowhere/${mark}`)
  shown = await readAll()
  // On a busy machine a reading may take longer than it may.
  for (let round = 0; round < 20; round += 1) {
    failuresBefore = sum('financial_agents_metrics_reading_failures_total')
    shown = await readAll()
    if (sum('financial_agents_metrics_reading_failures_total') === failuresBefore) break
  }
  secrets = [
    mark,
    open,
    'PT50000201231234567890154',
    created.body.id,
    created.body['resource_id'] as string,
    'ines-agent',
  ]
})
afterAll(async () => {
  await stack.close()
  await collector.close()
})

async function readAll(): Promise<Map<ServiceName, string>> {
  const texts = new Map<ServiceName, string>()
  for (const [name, [process]] of stack.processes) {
    if (!process) throw new Error(`${name} does not run`)
    const response = await fetch(`${process.healthUrl}/metrics`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    texts.set(name, await response.text())
  }
  return texts
}

/** OpenTelemetry's own instrumentations are left out. */
function seriesOf(text: string): { name: string; labels: string[]; value: number }[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (!match || /^(?:nodejs|v8js)_/.test(match[1] ?? '')) return []
    const labels = Array.from((match[2] ?? '').matchAll(/([a-z_]+)="/g), ([, label]) => label ?? '')
    return [{ name: match[1] ?? '', labels, value: Number(match[3]) }]
  })
}

/** The sum of the series that begin and contain as given. */
const sum = (beginning: string, ...parts: string[]) =>
  [...shown.values()]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith(beginning) && parts.every((part) => line.includes(part)))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0)

const all = () => [...shown].flatMap(([service, text]) => seriesOf(text).map((one) => ({ ...one, service })))

test('every metric of the table is there, of the type that the table says', () => {
  const types = new Set(
    [...shown.values()].flatMap((text) => text.split('\n').filter((line) => line.startsWith('# TYPE '))),
  )
  const missing = rows
    .filter(([name, row]) => !types.has(`# TYPE ${prometheusName(name, row)} ${row.type}`))
    .map(([name]) => name)
  expect(missing).toEqual([])
})

test('no metric of ours is missing from the table, and every series has the labels of its row', () => {
  const declared = new Map<string, string[]>()
  for (const [name, row] of rows) {
    const labels = [...row.labels.map(prometheusLabel), 'service_name']
    const written = prometheusName(name, row)
    if (row.type !== 'histogram') declared.set(written, labels)
    else {
      for (const suffix of ['_count', '_sum']) declared.set(written + suffix, labels)
      declared.set(`${written}_bucket`, [...labels, 'le'])
    }
  }
  const wrong = all().filter(({ name, labels }) => declared.get(name)?.toSorted().join() !== labels.toSorted().join())
  expect(wrong).toEqual([])
})

test('every series names its service', () => {
  for (const [service, text] of shown)
    for (const line of text
      .split('\n')
      .filter((one) => one !== '' && !one.startsWith('#') && !/^(?:nodejs|v8js)_/.test(one)))
      expect(line).toContain(`service_name="${service}"`)
})

test('what happened was counted', () => {
  expect(sum('http_server_request_duration_seconds_count', 'http_route="createBeneficiary"', '"202"')).toBe(2)
  expect(sum('http_server_request_duration_seconds_count', 'http_route="unrouted"', '"404"')).toBe(1)
  expect(sum('financial_agents_gateway_problems_total', 'operation_not_found')).toBe(1)
  expect(sum('financial_agents_operations_results_total', 'kind="beneficiary_create"', 'result="accepted"')).toBe(2)
  expect(sum('financial_agents_submitter_submissions_total', 'outcome="succeeded"')).toBe(1)
  expect(sum('financial_agents_operations_settled_total', 'state="succeeded"')).toBe(1)
  expect(sum('financial_agents_operations_first_outcome_duration_seconds_count', 'state="succeeded"')).toBe(1)
  expect(sum('financial_agents_operations_first_outcome_duration_seconds_count', 'state="submitted"')).toBe(1)
  expect(sum('financial_agents_operations_final_outcome_duration_seconds_count')).toBe(1)
  expect(sum('financial_agents_operations_unresolved', 'state="submitted"')).toBe(1)
  expect(sum('financial_agents_provider_call_duration_seconds_count', 'call="accounts"', 'outcome="ok"')).toBe(1)
  expect(sum('financial_agents_bus_connected')).toBe(12)
  expect(sum('http_server_active_requests')).toBe(0)
  expect(sum('financial_agents_metrics_reading_failures_total')).toBe(failuresBefore)
})

test('every unsettled state has the age of its oldest operation, even if there is none', () => {
  const states = operationStates.filter((state) => !(terminalStates as readonly string[]).includes(state))
  const ages = all().filter(({ name }) => name === 'financial_agents_operations_oldest_unresolved_age_seconds')
  expect(ages).toHaveLength(states.length)
})

describe('metrics hold no personal data', () => {
  test('no id, name, account, client or path of this test', () => {
    for (const [service, text] of shown)
      for (const secret of secrets) expect(text.includes(secret), `${service} shows ${secret}`).toBe(false)
  })

  test('nothing that looks like an id, a token, a key, an address or a stack', () => {
    const suspicious = {
      uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i,
      token: /eyJ[\w-]{10}/,
      'long random': /[A-Za-z0-9_-]{43,}(?=")/,
      address: /\d+\.\d+\.\d+\.\d+/,
      'mail address': /\S@\S/,
      stack: /\bat \S+ \(/,
    }
    for (const [service, text] of shown)
      for (const [what, pattern] of Object.entries(suspicious)) {
        const values = Array.from(text.matchAll(/="((?:[^"\\]|\\.)*)"/g), ([, value]) => `${value}"`)
        expect(
          values.filter((value) => pattern.test(value)),
          `${service}: ${what}`,
        ).toEqual([])
      }
  })
})

test('with an OTLP endpoint the same metrics leave over OTLP too, beside those of the runtime', async () => {
  await expect
    .poll(() => [...collector.metrics], { timeout: 120_000, interval: 200 })
    .toEqual(
      expect.arrayContaining([
        'submitter financial_agents.submitter.submissions',
        'submitter financial_agents.outbox.oldest_age',
        'submitter nodejs.eventloop.utilization',
      ]),
    )
  expect(shown.get('submitter')).toContain('nodejs_eventloop_utilization')
})
