/**
 * The output of `/metrics` after measurements. Each test has its own series, because all tests share the process's
 * registry.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { runInstance } from '../instance.ts'
import { cellOf, createCells, maxSeries } from './cells.ts'
import { prometheusName } from './metric-row.ts'
import { counter, histogram, observe, observeReading } from './metrics.ts'
import { createMetricReaders } from './readers.ts'
import { scrape } from './scrape.ts'
import { metricTable } from './table.ts'

const lines = async (beginning: string) =>
  (await scrape('a-service')).split('\n').filter((line) => line.startsWith(beginning))

// Loads the exporter before the tests.
beforeAll(() => scrape('a-service'))

describe('a counter', () => {
  test('shows what was counted, by its labels and with the name of the service', async () => {
    const problems = counter('financial_agents.gateway.problems')
    problems.add({ code: 'rate_limited' })
    problems.add({ code: 'rate_limited' }, 2)
    expect(await lines('financial_agents_gateway_problems_total{code="rate_limited"')).toEqual([
      'financial_agents_gateway_problems_total{code="rate_limited",service_name="a-service"} 3',
    ])
  })

  test('starts at 0 if the service says so', async () => {
    counter('financial_agents.submitter.expired_attempts').startAtZero([{}])
    counter('financial_agents.console.actions').startAtZero([{ action: 'signIn' }])
    expect(await lines('financial_agents_submitter_expired')).toEqual([expect.stringMatching(/ 0$/)])
    expect(await lines('financial_agents_console_actions')).toEqual([expect.stringMatching(/action="signIn".* 0$/)])
  })
})

test('a service shows what it measured itself, and not what another service of its process did', async () => {
  const actions = counter('financial_agents.console.actions')
  const run = (name: string, action: string) =>
    runInstance(async () => {
      const unobserve = observe(() => [['financial_agents.authz.signing_key_age', action.length, {}]])
      await new Promise(setImmediate)
      actions.add({ action })
      const shown = (await scrape(name)).split('\n').filter((line) => line.startsWith('financial_agents'))
      unobserve()
      return shown
    })
  const [one, other] = await Promise.all([run('one', 'viewAudit'), run('other', 'signOut')])
  expect(one).toEqual([
    'financial_agents_console_actions_total{action="viewAudit",service_name="one"} 1',
    'financial_agents_authz_signing_key_age_seconds{service_name="one"} 9',
  ])
  expect(other).toEqual([
    'financial_agents_console_actions_total{action="signOut",service_name="other"} 1',
    'financial_agents_authz_signing_key_age_seconds{service_name="other"} 7',
  ])
})

test('a histogram counts each value in the bucket whose bound it does not pass', async () => {
  const durations = histogram('financial_agents.provider.call.duration')
  for (const value of [0.001, 0.0011, 0.7, 60]) durations.record(value, { call: 'accounts', outcome: 'ok' })
  const shown = await lines('financial_agents_provider_call_duration_seconds')
  const of = (part: string) =>
    Number(
      shown
        .find((line) => line.includes(part))
        ?.split(' ')
        .at(-1),
    )
  expect([of('le="0.001"'), of('le="0.005"'), of('le="0.5"'), of('le="1"'), of('le="10"'), of('le="+Inf"')]).toEqual([
    1, 2, 2, 3, 3, 4,
  ])
  expect(of('_count')).toBe(4)
  expect(of('_sum')).toBeCloseTo(60.7021, 4)
})

test('series beyond the bound count as other', () => {
  const cells = createCells('financial_agents.gateway.problems')
  for (let index = 0; index < maxSeries + 50; index += 1) cellOf(cells, { code: `code_${index}` }).value += 1
  expect(cells.all).toHaveLength(maxSeries + 1)
  expect(cells.all.at(-1)).toMatchObject({ labels: ['other'], value: 50 })
})

describe('a figure that is read', () => {
  test('is read on demand, once for concurrent collections, and cached', async () => {
    let reads = 0
    const stop = observeReading({
      name: 'a test',
      read: async () => [['financial_agents.reconciler.under_review', (reads += 1), {}]],
    })
    expect(reads).toBe(0)
    const shown = await Promise.all([1, 2, 3].map(() => lines('financial_agents_reconciler_under_review')))
    expect(shown.flat()).toEqual(Array(3).fill('financial_agents_reconciler_under_review{service_name="a-service"} 1'))
    stop()
    expect(await lines('financial_agents_reconciler_under_review')).toEqual([])
  })

  test('is missing if the read fails, which is counted, while everything else is shown', async () => {
    const stops = [
      observeReading({ name: 'broken', read: () => Promise.reject(new Error('no database')) }),
      observe(() => [['financial_agents.authz.signing_key_age', 5, {}]]),
    ]
    expect(await lines('financial_agents_authz_signing_key_age')).toHaveLength(1)
    expect(await lines('financial_agents_metrics_reading_failures_total{reading="broken"')).toEqual([
      expect.stringMatching(/ [12]$/),
    ])
    for (const stop of stops) stop()
  })
})

test('no two metrics have one name on /metrics', () => {
  const names = Object.entries(metricTable).map(([name, row]) => prometheusName(name, row))
  expect(new Set(names).size).toBe(names.length)
})

test('OTLP is a second reader beside Prometheus, and none where it is switched off', async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  const both = createMetricReaders(endpoint)
  expect(both).toHaveLength(2)
  expect(createMetricReaders({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' })).toHaveLength(1)
})
