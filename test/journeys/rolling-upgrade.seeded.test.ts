/**
 * The system is upgraded to another build under load, and operations and submitter go back again. The two builds differ by a
 * migration that expands, and run side by side on the same database and broker. The test checks outcomes and never times:
 * the answers to clients, the outcomes of their writes, and the exits of the old processes. In `test` only the gateway and
 * the two services that differ are replaced, in a deep run all of them.
 */

import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { webhookPayload } from '@financial-agents/contract/schemas/webhook'
import { runToEnd } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { isDeep, seed } from '@financial-agents/testkit/deep'
import { findPrepared, type Prepared } from '@financial-agents/testkit/prepared'
import { type Bundles, programOf } from '@financial-agents/testkit/programs'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { nothing } from '../chaos/queries.ts'
import { randomOf } from '../chaos/random.ts'
import { providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { createAssertions, createLoadClient, type LoadClient } from './rolling/client.ts'
import { createEndpoints } from './rolling/endpoints.ts'
import { type Load, startLoad } from './rolling/load.ts'
import { createRefreshing, createTurns, type Turn } from './rolling/mix.ts'
import { buildNext, changed } from './rolling/next-build.ts'
import { accounts, declareAccounts, scope, signIn } from './rolling/parties.ts'
import { createRecord } from './rolling/record.ts'
import { type Replaced, replace } from './rolling/replace.ts'

const ratePerS = isDeep ? 200 : 25
/** The services that are replaced; the others run together in one process. */
const rolled: readonly ServiceName[] = isDeep ? serviceNames : ['gateway', ...changed]
/** Replicas of each of these. */
const replicas = 2
// A lost request still fails, after a longer wait. Slowness of the machine alone makes no request fail.
const environment = {
  gateway: { CONNECTION_DRAIN_MS: '5000', REQUEST_DEADLINE_MS: '20000' },
  operations: { CALL_TIMEOUT_MS: '20000' },
  submitter: { CALL_TIMEOUT_MS: '20000', PROVIDER_TIMEOUT_MS: '60000', LEASE_MS: '120000' },
}

const clean = { code: 0, signal: null }
const eventually = { timeout: 120_000, interval: 200 }

const endpoints = createEndpoints()
const record = createRecord()
const clients: LoadClient[] = []
const heard = new Set<string>()
const { bundles: present } = findPrepared() as Required<Prepared>
let next: Bundles
let stack: TestStack
let database: pg.Pool
let receiver: Server

beforeAll(async () => {
  stack = await startTestStack({
    processes: isDeep || rolled,
    environment,
    // Every replica has a connection pool.
    postgresSettings: { max_connections: '400' },
    registerClients: declareAccounts,
  })
  next = await buildNext(present, join(stack.folder, 'next'))
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl, max: 2 })
  await Promise.all(rolled.map(async (name) => stack.start(name, {}, { port: await getFreePort() })))
  for (const { url } of stack.processes.get('gateway') ?? []) endpoints.add(Number(new URL(url as string).port))
  receiver = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { type, data } = webhookPayload.parse(JSON.parse(Buffer.concat(chunks).toString()))
      heard.add(`${type} ${data.operation_id}`)
      response.writeHead(204).end()
    })()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await database.end()
  await stack.close()
  receiver.closeAllConnections()
  receiver.close()
})

test(`nothing fails and nothing is lost or done twice while builds are upgraded and rolled back under ${ratePerS} requests a second`, async ({
  annotate,
}) => {
  const turns = await openClients()
  const load = startLoad(turns, ratePerS, record)
  const replaced: Replaced[] = []
  // Replaces one process of a service after the other, for one service after the other.
  const roll = async (names: readonly ServiceName[], bundles: Bundles) => {
    for (const name of names)
      for (const old of stack.processes.get(name) ?? [])
        replaced.push(await replace({ stack, endpoints, load }, old, bundles))
  }
  const upgrade = async () => {
    await migrate(next, '0002_next')
    await expectWrittenBy({ accepted_by: null, claimed_by: null })
    await roll(['operations'], next)
    await expectWrittenBy({ accepted_by: 'next', claimed_by: null })
    await roll(['submitter'], next)
    await expectWrittenBy({ accepted_by: 'next', claimed_by: 'next', reported: 'next' })
    // A rollback runs no migration down. The former build finds a newer schema, and leaves it.
    await migrate(present, 'up to date')
    await roll(['operations'], present)
    await expectWrittenBy({ accepted_by: null, claimed_by: 'next' })
    await roll(['submitter'], present)
  }
  // A release rolls out several services at once.
  const others = rolled.filter((name) => !changed.some((one) => one === name))
  await Promise.all([upgrade(), roll(others, next)])
  await load.stop()
  await annotate(summaryOf(replaced, load))

  expect(record.failures).toEqual([])
  // A client needs one new nonce for each gateway that was replaced.
  expect([...record.challenges].filter(([, challenges]) => challenges > replicas)).toEqual([])
  expect(replaced.map(({ name, status }) => ({ name, status }))).toEqual(
    replaced.map(({ name }) => ({ name, status: clean })),
  )
  await expectSettled()
  await expectOnceAtTheProvider()
  await vi.waitFor(() => expect(unheard()).toEqual([]), eventually)
  expect(await complaints()).toEqual([])
})

test('a process that is asked to stop while it starts ends cleanly', async () => {
  const ends = rolled.map(async (name) => {
    const started = await stack.start(name, {}, { port: await getFreePort(), waitReady: false })
    await vi.waitFor(async () => expect((await fetch(`${started.healthUrl}/live`)).ok).toBe(true), eventually)
    started.child.signal('SIGTERM')
    return { name, status: await started.child.exited }
  })
  expect(await Promise.all(ends)).toEqual(rolled.map((name) => ({ name, status: clean })))
  expect(await complaints()).toEqual([])
})

/** Runs the command `migrate` of this build for the services that differ. */
async function migrate(bundles: Bundles, says: string): Promise<void> {
  for (const name of changed) {
    const [owner, password] = [`${name}_owner`, 'of the owner']
    await database.query(`ALTER ROLE ${owner} PASSWORD '${password}'`)
    const url = Object.assign(new URL(stack.postgres.adminUrl), { username: owner, password })
    const { args, options } = programOf(name, bundles)
    const env = { PATH: process.env['PATH'], DATABASE_URL: url.href }
    const said = await runToEnd(`${name} migrate`, process.execPath, [...args, 'migrate'], { cwd: options.cwd, env })
    expect(said).toContain(says)
  }
}

/** Waits for an operation that one build accepted and one claimed, after everything that there is. `reported`: by the message. */
async function expectWrittenBy(by: { accepted_by: string | null; claimed_by: string | null; reported?: string }) {
  const { rows } = await database.query<{ last: string }>('SELECT max(id::text) AS last FROM operations.operations')
  const found = () =>
    database.query(
      `SELECT FROM operations.operations o JOIN submitter.submissions s ON s.operation_id = o.id WHERE o.id > $1::uuid
         AND o.accepted_by IS NOT DISTINCT FROM $2 AND s.claimed_by IS NOT DISTINCT FROM $3
         AND s.accepted_by IS NOT DISTINCT FROM $4 LIMIT 1`,
      [rows[0]?.last ?? '00000000-0000-0000-0000-000000000000', by.accepted_by, by.claimed_by, by.reported ?? null],
    )
  await vi.waitFor(async () => expect((await found()).rowCount).toBe(1), eventually)
}

function summaryOf(replaced: readonly Replaced[], load: Load): string {
  const { answered, unavailable, challenges } = record
  const stops = replaced.map(({ name, stopMs }) => `${name} ${stopMs} ms`).join(', ')
  const nonces = [...challenges.values()].reduce((sum, each) => sum + each, 0)
  return `${answered} requests, ${load.skipped()} turns skipped, ${nonces} challenges; stopped within ${stops}; 503: ${JSON.stringify([...unavailable])}`
}

/** Every client gets a token, a connection of its own and a webhook. */
async function openClients(): Promise<Turn[]> {
  const parts = { baseUrl: stack.baseUrl, endpoints, record }
  const { port } = receiver.address() as AddressInfo
  const random = randomOf(seed)
  const turns = await Promise.all(
    accounts.map(async (account) => {
      const client = createLoadClient({ ...parts, name: account.clientId })
      clients.push(client)
      const jwk = JSON.parse(await readFile(join(stack.folder, 'clients', `${account.clientId}.jwk.json`), 'utf8'))
      const assertion = createAssertions(stack.baseUrl, account.clientId, jwk)
      await client.token('token', () => assertion(scope))
      const subscribed = await client.protected({
        name: 'POST /v1/webhook-subscriptions',
        method: 'POST',
        path: '/v1/webhook-subscriptions',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
      })
      expect(subscribed).toMatchObject({ status: 201 })
      return createTurns({ client, account, record, assertion, random })
    }),
  )
  const person = createLoadClient({ ...parts, name: 'tally' })
  clients.push(person)
  const refreshing = createRefreshing(person, await signIn(stack, person), record)
  await refreshing()
  await refreshing()
  // The first nonce is not caused by a replacement.
  record.challenges.clear()
  return [...turns, refreshing]
}

/**
 * Queries that must find nothing, in addition to `nothing`: unfinished work, and work that a process with a clean exit
 * must not leave to others.
 */
const left = [
  { words: 'an outcome was lost', sql: `SELECT * FROM operations.history WHERE to_state = 'indeterminate'` },
  {
    words: 'an event is not confirmed',
    sql: 'SELECT batch_id FROM submitter.outbox',
  },
  {
    words: 'a transition is not confirmed',
    sql: 'SELECT operation_id FROM reconciler.transitions WHERE NOT confirmed',
  },
  { words: 'a delivery is pending', sql: `SELECT id, status FROM notifier.deliveries WHERE status <> 'delivered'` },
]

/** Each sent key has one operation, and each of those has succeeded. */
async function expectSettled(): Promise<void> {
  expect(new Set(record.operations.keys())).toEqual(record.keys)
  expect(new Set(record.operations.values()).size).toBe(record.keys.size)
  const { rows } = await database.query<{ key: string; operation_id: string }>(
    'SELECT key, operation_id FROM operations.idempotency_keys',
  )
  expect(new Map(rows.map(({ key, operation_id }) => [key, operation_id]))).toEqual(record.operations)
  await vi.waitFor(async () => {
    const states = await database.query('SELECT state, count(*)::int FROM operations.operations GROUP BY state')
    expect(states.rows).toEqual([{ state: 'succeeded', count: record.keys.size }])
    for (const { words, sql } of [...nothing, ...left]) {
      const { rows: found } = await database.query(sql)
      expect(found.slice(0, 3), words).toEqual([])
    }
  }, eventually)
}

async function expectOnceAtTheProvider(): Promise<void> {
  const provider = providerOf(stack)
  expect((await provider.summary()).repeated).toEqual([])
  const references = (await provider.ledger()).map(({ client_reference }) => client_reference)
  expect(new Set(references)).toEqual(new Set(record.operations.values()))
  expect(references.length).toBe(record.operations.size)
}

function unheard(): string[] {
  return [...record.operations.values()].filter((id) => !heard.has(`operation.succeeded ${id}`))
}

/** A busy machine alone may cause it: nobody waited in vain, because the request was repeated. */
const slow =
  /PostgreSQL is out of reach: (?:timeout exceeded when trying to connect|Connection terminated due to connection timeout)/

/** Lines in the services' logs that a clean replacement does not explain. */
async function complaints(): Promise<string[]> {
  const names: ServiceName[] = [...serviceNames]
  const logs = await Promise.all(names.map((name) => readFile(join(stack.folder, 'logs', `${name}.log`), 'utf8')))
  return logs.flatMap((log) =>
    log.split('\n').filter((line) => (/"level":"(error|fatal)"/.test(line) && !slow.test(line)) || isNoLine(line)),
  )
}

/** Other output than lines of the log is a mistake. */
function isNoLine(line: string): boolean {
  return line !== '' && !line.startsWith('{')
}
