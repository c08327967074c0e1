/** The order in which the frame opens and closes connections, on a real bus. */

import type { Bus } from '@financial-agents/bus/connect'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import type { Database } from '@financial-agents/postgres/database'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import { createClock } from '@financial-agents/runtime/clock'
import { busConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseSchema, defineService } from './service.ts'

let nats: Awaited<ReturnType<typeof startTestNats>>
beforeAll(async () => {
  nats = await startTestNats()
})
afterAll(() => nats.stop())

const log = createLog({ service: 'cards', level: 'silent' })
const given = () => ({
  config: {
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds.cards,
    NATS_CA_FILE: undefined,
    NATS_REQUEST_GRACE_MS: 0,
  },
  log,
  clock: createClock(),
})

function schemaThatNotes(steps: string[], check: () => Promise<void> = async () => {}): DatabaseSchema<unknown> {
  return {
    open: ({ pool = 'own' }) => {
      steps.push(`open ${pool}`)
      return { check, close: async () => void steps.push(`close ${pool}`) } as unknown as Database
    },
    migrate: () => ({ summary: 'for tests', run: async () => [] }),
  }
}

test('what a service started ends while every connection is open, and what answers ends after the bus is drained', async () => {
  const steps: string[] = []
  let bus: Bus | undefined
  const state = () => (bus?.connection.isClosed() ? 'bus closed' : 'bus open')
  const service = defineService({
    name: 'cards',
    summary: 'For tests.',
    config: busConfig,
    database: schemaThatNotes(steps),
    provider: async () => ({ close: async () => void steps.push('close provider') }) as unknown as RoutedProvider,
    start: async (_config, opened) => {
      bus = opened.bus
      opened.openPool({ pool: 'second', maxConnections: 1, statementTimeoutMs: 1 })
      steps.push(`start, ${state()}`)
      return {
        checks: { part: async () => {} },
        stop: async () => void steps.push(`stop, ${state()}`),
        close: async () => void steps.push(`close, ${state()}`),
      }
    },
  })
  expect(Object.keys(service.program.commands)).toEqual(['serve', 'migrate'])
  const started = await service.start(given())
  expect(Object.keys(started.checks)).toEqual(['bus', 'database', 'part'])
  await started.stop()
  expect(steps).toEqual([
    'open own',
    'open second',
    'start, bus open',
    'stop, bus open',
    'close, bus closed',
    'close provider',
    'close own',
    'close second',
  ])
})

test('a service without a schema or an adapter has neither, and no command that migrates', async () => {
  const service = defineService({
    name: 'cards',
    summary: 'For tests.',
    config: busConfig,
    start: async (_config, opened) => {
      expect(opened).toMatchObject({ db: undefined, provider: undefined })
      return { stop: async () => {} }
    },
  })
  expect(Object.keys(service.program.commands)).toEqual(['serve'])
  const started = await service.start(given())
  expect(Object.keys(started.checks)).toEqual(['bus'])
  await started.stop()
})

test('a service that answers its clients alone is ready without the bus and the database', async () => {
  const service = defineService({
    name: 'cards',
    summary: 'For tests.',
    config: busConfig,
    database: schemaThatNotes([]),
    answersAlone: true,
    start: async () => ({ checks: { part: async () => {} }, stop: async () => {} }),
  })
  const started = await service.start(given())
  expect(Object.keys(started.checks)).toEqual(['part'])
  await started.stop()
})

test('a service that starts from rows waits for its database; any other starts without it', async () => {
  const steps: string[] = []
  let asked = 0
  const check = async () => {
    steps.push('ask')
    asked += 1
    if (asked === 1) throw new Unavailable('away')
  }
  const declare = (more: { startsFromRows?: true }) =>
    defineService({
      name: 'cards',
      summary: 'For tests.',
      config: busConfig,
      database: schemaThatNotes(steps, check),
      ...more,
      start: async () => (steps.push('start'), { stop: async () => {} }),
    })
  await (await declare({}).start(given())).stop()
  expect(steps.splice(0)).toEqual(['open own', 'start', 'close own'])
  await (await declare({ startsFromRows: true }).start(given())).stop()
  expect(steps).toEqual(['open own', 'ask', 'ask', 'start', 'close own'])
})
