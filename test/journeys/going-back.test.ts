/**
 * The ways in which PostgreSQL or JetStream comes back older while every service lives on, other than by a stopped restore
 * (restore.test.ts): a snapshot in place, a standby that was behind, a base backup beside the primary, an older JetStream, both at once. Nothing is sent twice, nothing is
 * sent or accepted while the database is not proven to be the newest, and an operator has to decide only if something may be lost. After a
 * switch-over without loss nobody has to. Restarts, crashes and a wiped JetStream are in servers.test.ts.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@financial-agents/bus/connect'
import { createLog } from '@financial-agents/runtime/log'
import type { ApiClient } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  clientOf,
  create,
  pollUntil,
  providerOf,
  startTestStack,
  type TestStack,
  usualDeadline,
} from '../stack.test-helper.ts'

const limitMs = 120_000
let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>

async function start(): Promise<void> {
  stack = await startTestStack({
    processes: ['operations', 'submitter'],
    services: ['gateway', 'authz', 'onboarding', 'operations', 'submitter', 'reconciler', 'beneficiaries'],
    // The tests copy the data folders, so both servers must be programs of this machine.
    postgresSources: ['path', 'npm'],
    natsSources: ['path', 'cache', 'debian', 'go'],
    environment: {
      // A request that a failure loses is never answered.
      all: { NATS_REQUEST_GRACE_MS: '0' },
      gateway: usualDeadline,
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
      submitter: { PROVIDER_TIMEOUT_MS: '60000', LEASE_MS: '120000', BACKGROUND_JOB_PAUSE_MS: '200' },
    },
  })
  client = await clientOf(stack, 'ines-agent')
  provider = providerOf(stack)
}

const times = <Result>(count: number, make: () => Promise<Result>) => Promise.all(Array.from({ length: count }, make))

/** Sends a write again under its key until it is accepted; returns the id of its operation. */
async function accepted(name: string): Promise<string> {
  const key = randomUUID()
  const until = Date.now() + limitMs
  for (;;) {
    const response = await create(client, name, key).catch(() => undefined)
    if (response?.status === 202) return response.body.id
    if (Date.now() > until) throw new Error(`refused: ${response?.status} ${response?.body['code']}`)
    await delay(100)
  }
}

/** Writes all the time. The function that it returns ends that, and returns the ids of the operations. */
function keepWriting(name: string): () => Promise<string[]> {
  let stopped = false
  const ids: string[] = []
  const writers = times(4, async () => {
    while (!stopped) ids.push(await accepted(name))
  })
  return async () => {
    stopped = true
    await writers
    return ids
  }
}

async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  try {
    return (await database.query<Row>(sql, values)).rows
  } finally {
    await database.end()
  }
}

async function recover(...args: string[]): Promise<string[]> {
  const provisioner = { NATS_NKEY_SEED: stack.nats.seeds.provisioner }
  return (await stack.runCommand('operations', 'recover', args, provisioner)).split('\n')
}

/** Runs `recover` until it shows that this schema is closed for one of these reasons: no write is needed. Returns all that it showed. */
async function closedFor(schema: string, reasons: string): Promise<string[]> {
  const line = new RegExp(`^${schema}: closed since .* \\((?:${reasons})\\)`)
  const until = Date.now() + limitMs
  for (;;) {
    const shown = await recover().catch((error: Error) => [error.message])
    if (shown.some((each) => line.test(each))) return shown
    if (Date.now() > until) throw new Error(`not closed: ${shown.slice(0, 4).join('; ')}`)
  }
}

/** No write is accepted, and the provider gets nothing. */
async function expectClosed(): Promise<void> {
  const { mutations } = await provider.summary()
  const refusals = await times(5, () => create(client, 'refused'))
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 503, body: { code: 'service_unavailable', retryable: true } })
  await delay(1_000)
  expect((await provider.summary()).mutations).toBe(mutations)
}

/** Every operation that the provider executed has succeeded, every other one is uncertain, and nothing arrived at the provider twice. */
async function expectProven(): Promise<void> {
  // The watchdog gives up open attempts whose answer was lost.
  await query('UPDATE submitter.outbox SET lease_until = now() WHERE lease_until IS NOT NULL')
  const unproven = async () => {
    const operations = await query<{ id: string; state: string }>('SELECT id, state FROM operations.operations')
    const ledger = (await provider.ledger()).filter(({ outcome }) => outcome.startsWith('executed'))
    const executed = new Set(ledger.map((entry) => entry.client_reference))
    return operations.filter(({ id, state }) => state !== (executed.has(id) ? 'succeeded' : 'indeterminate'))
  }
  await expect.poll(unproven, { timeout: limitMs, interval: 250 }).toEqual([])
  expect((await provider.summary()).repeated).toEqual([])
}

async function expectOpen(): Promise<void> {
  const ids = await times(5, () => accepted('new'))
  for (const id of ids) {
    await pollUntil(client, id, ['succeeded'])
    expect(await movesOf(id)).toEqual(['accepted', 'submitting', 'succeeded'])
  }
}

async function movesOf(id: string): Promise<string[]> {
  const moves = 'SELECT to_state FROM operations.moves WHERE operation_id = $1 ORDER BY sequence'
  return (await query<{ to_state: string }>(moves, [id])).map((row) => row.to_state)
}

async function recoveryPoints(): Promise<unknown[]> {
  const rows = await query(
    'SELECT recovery_point FROM operations.witness UNION ALL SELECT recovery_point FROM submitter.witness',
  )
  return rows.map((row) => row['recovery_point'])
}

/** Signals the submitter. While it stands still, what is accepted is not claimed. */
const signalSubmitter = (signal: NodeJS.Signals) => {
  for (const { child } of stack.processes.get('submitter') ?? []) child.signal(signal)
}

/**
 * Has `copy` made while operations are at every stage and twenty more begin. Then the provider executes all but five of them, and five new ones. Returns the ids
 * of the new ones.
 */
async function liveOnAfter(copy: () => Promise<void>): Promise<string[]> {
  await provider.fault('settle_later', 'pending')
  await provider.fault('hold', 'held')
  await provider.fault('drop_before_accept', 'dropped')
  const stages = { settled: 'succeeded', pending: 'submitted', held: 'submitting', dropped: 'indeterminate' }
  const ids: Record<string, string[]> = {}
  for (const [name, state] of Object.entries(stages)) {
    ids[name] = await times(5, () => accepted(name))
    for (const id of ids[name]) await pollUntil(client, id, [state])
  }
  signalSubmitter('SIGSTOP')
  const unclaimed = await times(5, () => accepted('unclaimed'))
  signalSubmitter('SIGCONT')
  const burst = times(20, () => accepted('burst'))
  await copy()
  const lost = await times(5, () => accepted('lost'))
  for (const id of ids['held'] ?? []) await provider.release(id)
  for (const id of ids['pending'] ?? []) await provider.settle(id, 'succeeded')
  const executed = [...(ids['held'] ?? []), ...(ids['pending'] ?? []), ...lost]
  for (const id of executed) await pollUntil(client, id, ['succeeded'])
  // An operation whose claim was interrupted by the copy may not have been sent.
  for (const id of [...unclaimed, ...(await burst)])
    await pollUntil(client, id, ['succeeded', 'submitting', 'indeterminate'])
  return lost
}

const namedIn = (shown: readonly string[]) =>
  shown
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { operation_id: string }).operation_id)

afterEach(() => provider.clearFaults())

describe('in place', () => {
  beforeAll(start)
  afterAll(() => stack?.close())

  test('an older JetStream: writes are closed until its streams are deleted and made again; nobody has to recover', async () => {
    const { restore } = await stack.nats.server.backUp()
    const stop = keepWriting('older JetStream')
    await expect.poll(async () => (await provider.summary()).mutations, { timeout: limitMs }).toBeGreaterThan(10)
    await restore()
    await closedFor('operations', 'other_witness')
    await expectClosed()
    await deleteStreams()
    await stack.nats.provision()
    await accepted('after')
    const ids = await stop()
    expect(ids.length).toBeGreaterThan(10)
    await expectProven()
    await expectOpen()
    expect(await recoveryPoints()).toEqual([null, null])
  })

  test('a snapshot of PostgreSQL restored under living services: closed until the operator recovers, and nothing is sent twice', async () => {
    let restore = async () => {}
    const lost = await liveOnAfter(async () => {
      ;({ restore } = await stack.postgres.backUp())
    })
    await restore()
    const shown = await closedFor('submitter', 'loss|elsewhere')
    await expectClosed()
    expect(namedIn(shown)).toEqual(expect.arrayContaining(lost))
    await recover('--open')
    await expectOpen()
    await expectProven()
  })

  test('PostgreSQL restored and JetStream wiped: the streams are made again and the witness is not, until the operator recovers', async () => {
    let restore = async () => {}
    await liveOnAfter(async () => {
      ;({ restore } = await stack.postgres.backUp())
    })
    await stack.nats.server.kill()
    await restore()
    await stack.nats.server.start({ wipeStore: true })
    await stack.nats.provision()
    await closedFor('operations', 'no_witness')
    await expectClosed()
    await recover('--open')
    await expectOpen()
    await expectProven()
  })

  test('clocks hours apart: nothing opens until they are right, and nothing is sent twice', async () => {
    const hourMs = 3_600_000
    await stack.moveClock(['operations'], 3 * hourMs)
    // If the submitter's clock were behind, the provider would refuse its submissions as expired.
    await stack.moveClock(['submitter'], hourMs)
    let restore = async () => {}
    await liveOnAfter(async () => {
      ;({ restore } = await stack.postgres.backUp())
    })
    await restore()
    await closedFor('submitter', 'loss|elsewhere')
    for (const aheadMs of [-3 * hourMs, 0]) {
      await stack.moveClock(['operations'], aheadMs)
      await stack.moveClock(['submitter'], 3 * hourMs)
      await expect(recover('--open', '--although-open')).rejects.toThrow(/stays closed: its clock is at/)
      const { mutations } = await provider.summary()
      await times(5, () => create(client, 'refused'))
      expect((await provider.summary()).mutations).toBe(mutations)
    }
    await stack.moveClock(['submitter'], 0)
    await recover('--open')
    await expectOpen()
    await expectProven()
  })

  async function deleteStreams(): Promise<void> {
    const config = { NATS_URL: stack.nats.server.url, NATS_NKEY_SEED: stack.nats.seeds.provisioner }
    const bus = await connectBus({ config, name: 'provisioner', log: createLog({ service: 'test', level: 'silent' }) })
    const { streams } = await bus.connection.jetstreamManager()
    for await (const name of streams.names()) await streams.delete(name)
    await bus.drain()
  }
})

describe('a standby', () => {
  beforeAll(start)
  afterAll(() => stack?.close())

  test('that was behind and is promoted: closed until the operator recovers, and nothing is sent twice', async () => {
    const standby = await stack.postgres.startStandby()
    const lost = await liveOnAfter(() => standby.fallBehind())
    await stack.postgres.kill()
    await standby.promote()
    const shown = await closedFor('submitter', 'loss|elsewhere')
    await expectClosed()
    expect(namedIn(shown)).toEqual(expect.arrayContaining(lost))
    await recover('--open')
    await expectOpen()
    await expectProven()
  })
})

describe('a base backup that is started beside the living primary', () => {
  beforeAll(start)
  afterAll(() => stack?.close())

  test('with replicas of its own: they close, nothing is sent twice, and the replicas of the primary go on by themselves', async () => {
    let startAnother = async () => ''
    await liveOnAfter(async () => {
      ;({ startAnother } = await stack.postgres.backUp())
    })
    const { port } = new URL(await startAnother())
    const replicas = await Promise.all((['operations', 'submitter'] as const).map((name) => startAt(port, name)))
    for (const { name, child } of replicas) {
      const isClosed = () => child.lastLines().some((line) => line.includes(`"schema":"${name}","reason":"loss"`))
      await expect.poll(isClosed, { timeout: limitMs }).toBe(true)
    }
    const { mutations } = await provider.summary()
    const stop = keepWriting('beside')
    await expect.poll(async () => (await provider.summary()).mutations, { timeout: limitMs }).toBeGreaterThan(mutations)
    for (const { child } of replicas) await child.kill()
    await stop()
    await expectOpen()
    await expectProven()
    expect(await recoveryPoints()).toEqual([null, null])
  })

  function startAt(port: string, name: 'operations' | 'submitter') {
    const address = new URL(stack.environmentOf(name)['DATABASE_URL'] as string)
    address.port = port
    return stack.start(name, { DATABASE_URL: address.href }, { waitReady: false })
  }
})

describe('a planned switch-over', () => {
  beforeAll(start)
  afterAll(() => stack?.close())

  test('to a standby that has everything: writes go on by themselves, each is made once, and only those in flight become uncertain', async () => {
    const standby = await stack.postgres.startStandby()
    const before = await times(10, () => accepted('before'))
    for (const id of before) await pollUntil(client, id, ['succeeded'])
    const stop = keepWriting('under way')
    await expect.poll(async () => (await provider.summary()).mutations, { timeout: limitMs }).toBeGreaterThan(20)
    await stack.postgres.freeze()
    await standby.promote()
    await accepted('after')
    await expectOpen()
    const ids = await stop()
    await expectProven()
    expect(await recoveryPoints()).toEqual([null, null])
    for (const id of before) expect(await movesOf(id)).toEqual(['accepted', 'submitting', 'succeeded'])
    const [uncertain] = await query<{ count: number }>(
      `SELECT count(DISTINCT operation_id)::int AS count FROM operations.moves
       WHERE to_state = 'indeterminate' AND operation_id = ANY($1)`,
      [ids],
    )
    // Each of the four writers has had at most two operations in flight.
    expect(uncertain?.count).toBeLessThanOrEqual(8)
  })
})
