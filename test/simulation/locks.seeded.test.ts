/**
 * Transactions on the tables in memory wait for each other as they do in PostgreSQL. Random steps of three concurrent
 * transactions are taken in both. In both, the same transactions wait, for as long, and get the same rows.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { amountOf, seed as seedOfRun } from '@financial-agents/testkit/deep'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeSkippingLocked } from './statements/sql.ts'
import { chanceOf, createRandom } from './virtual/random.ts'
import { createStore, type Row, type Steps, type Store, Transaction } from './virtual/tables.ts'

const sequences = amountOf(150, 4_000)
const first = seedOfRun * 4_000
const steps = 14
const keys = ['a', 'b', 'c']
const owners = [0, 1, 2] as const

type Step = { sql: string; values: unknown[]; model: (tx: Transaction) => Steps<Row[]> }

const kinds: Record<string, (key: string, unique: string) => Step> = {
  insert: (key, unique) => ({
    sql: 'INSERT INTO things (id, name, n) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING id',
    values: [key, unique],
    *model(tx) {
      return (yield* tx.insert('things', { id: key, name: unique, n: 0 }, 'nothing')) ? [{ id: key }] : []
    },
  }),
  count: (key) =>
    change(key, 'UPDATE things SET n = n + 1 WHERE id = $1 RETURNING n', (row) => ({ n: (row.n as number) + 1 }), 'n'),
  free: (key) => change(key, 'UPDATE things SET name = NULL WHERE id = $1 RETURNING n', () => ({ name: null }), 'n'),
  remove: (key) => change(key, 'DELETE FROM things WHERE id = $1 RETURNING n', () => null, 'n'),
  lock: (key) => change(key, 'SELECT n FROM things WHERE id = $1 FOR UPDATE', () => ({}), 'n'),
  skip: () => ({
    sql: 'SELECT id FROM things ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
    values: [],
    *model(tx) {
      const order = (a: Row, b: Row) => ((a.id as string) < (b.id as string) ? -1 : 1)
      const rows = yield* takeSkippingLocked(tx, 'things', { where: () => true, order, limit: 1 })
      return rows.map(({ id }) => ({ id }))
    },
  }),
  read: () => ({
    sql: 'SELECT id, name, n FROM things',
    values: [],
    // oxlint-disable-next-line require-yield -- it never waits
    *model(tx) {
      return tx.all('things')
    },
  }),
  shared: () => advisory('pg_advisory_xact_lock_shared', 'shared'),
  exclusive: () => advisory('pg_advisory_xact_lock', 'exclusive'),
}

function change(id: string, sql: string, to: (row: Row) => Row | null, shown: string): Step {
  return {
    sql,
    values: [id],
    *model(tx) {
      if (!tx.get('things', id)) return []
      const row = yield* tx.lock('things', id)
      if (!row) return []
      const after = to(row)
      if (after === null) tx.remove('things', id)
      else if (Object.keys(after).length > 0) tx.update('things', id, after)
      return [{ [shown]: (tx.get('things', id) ?? row)[shown] }]
    },
  }
}

function advisory(name: string, mode: 'shared' | 'exclusive'): Step {
  return {
    sql: `SELECT ${name}(hashtext(current_user))`,
    values: [],
    *model(tx) {
      yield* tx.advisory('lock', mode)
      return []
    },
  }
}

let database: TestDatabase
let watcher: pg.Client
let clients: { client: pg.Client; pid: number }[]

beforeAll(async () => {
  const things = sqlMigration('CREATE TABLE things (id text COLLATE "C" PRIMARY KEY, name text UNIQUE, n int NOT NULL)')
  database = await createTestDatabase({ service: 'locks', migrations: { '0001_things': things } })
  const open = async () => {
    const options = `-c search_path=${database.schema}`
    const client = new pg.Client({ connectionString: database.connectionString, options })
    await client.connect()
    return client
  }
  watcher = await open()
  clients = await Promise.all(
    owners.map(async () => {
      const client = await open()
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      return { client, pid: rows[0]?.pid ?? 0 }
    }),
  )
})
afterAll(async () => {
  await Promise.all([watcher.end(), ...clients.map(({ client }) => client.end())])
  await database.close()
})

/** `waits`, or the answer as text. */
type Outcome = string
const textOf = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => !name.startsWith('pg_'))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .filter((row) => row !== '[]')
    .toSorted()
    .join()

/** The transactions in PostgreSQL, each with the outcome of its last statement; null while there is none. */
function realSide() {
  const last: { outcome: Outcome | null }[] = owners.map(() => ({ outcome: null }))
  /** Only the other test transactions count as blockers, because PostgreSQL's own vacuum may lock a table for a moment. */
  const look = async (owner: number): Promise<Outcome> => {
    for (;;) {
      const { outcome } = last[owner] ?? {}
      if (outcome !== null && outcome !== undefined) return outcome
      const { rows } = await watcher.query<{ waits: boolean }>('SELECT pg_blocking_pids($1) && $2 AS waits', [
        clients[owner]?.pid,
        clients.map(({ pid }) => pid),
      ])
      if (rows[0]?.waits && last[owner]?.outcome === null) return 'waits'
    }
  }
  return {
    look,
    ask: (owner: number, { sql, values }: Pick<Step, 'sql' | 'values'>) => {
      const asked: { outcome: Outcome | null } = { outcome: null }
      last[owner] = asked
      clients[owner]?.client.query<Row>(sql, values).then(
        ({ rows }) => {
          asked.outcome = `rows ${textOf(rows)}`
        },
        (error: unknown) => {
          asked.outcome = `error ${(error as { code?: string }).code}`
        },
      )
    },
  }
}

/** All transactions for which one waits. `waitsFor` names only one of those that share the advisory lock. */
function blockersOf(store: Store, tx: Transaction): Transaction[] {
  const place = store.queued.findIndex((one) => one.tx === tx)
  const mode = store.queued[place]?.mode
  const sharing = mode === 'exclusive' ? [...store.shared.values()].flatMap((holders) => [...holders]) : []
  const earlier = store.queued
    .slice(0, Math.max(0, place))
    .filter((one) => mode === 'exclusive' || one.mode === 'exclusive')
  const blockers = [...sharing, ...earlier.map((one) => one.tx), ...(tx.waitsFor ? [tx.waitsFor] : [])]
  return blockers.filter((other) => other !== tx)
}

function isReached<Node>(node: Node, from: readonly Node[], next: (node: Node) => readonly Node[]): boolean {
  const seen = new Set(from)
  for (const each of seen) for (const other of next(each)) seen.add(other)
  return seen.has(node)
}

/**
 * The same transactions in memory. `undecided` is set where PostgreSQL's behaviour is not determined: it breaks a
 * deadlock after a time-out, and of two transactions that wait for the same one, either may continue first.
 */
function virtualSide(store: Store) {
  const transactions = owners.map(() => new Transaction(store))
  const last: Outcome[] = owners.map(() => 'rows ')
  const state = { undecided: false }
  const proceed = (owner: number, going: Steps<Row[]>) => {
    const tx = transactions[owner] as Transaction
    tx.waitsFor = null
    const step = going.next()
    if (step.done) {
      last[owner] = `rows ${textOf(step.value)}`
      return
    }
    last[owner] = 'waits'
    if (step.value.waiters.length > 0) state.undecided = true
    tx.waitsFor = step.value
    if (isReached(tx, blockersOf(store, tx), (other) => blockersOf(store, other))) state.undecided = true
    step.value.waiters.push(() => proceed(owner, going))
  }
  return {
    state,
    look: (owner: number) => last[owner] as Outcome,
    ask: (owner: number, { model }: Step) => proceed(owner, model(transactions[owner] as Transaction)),
    end: (owner: number, how: 'commit' | 'rollback') => {
      transactions[owner]?.[how]()
      transactions[owner] = new Transaction(store)
      last[owner] = 'rows '
    },
  }
}

test(`${sequences} sequences of three transactions go alike`, async () => {
  let waited = 0
  for (let sequence = 0; sequence < sequences; sequence += 1) waited += await runSequence(first + sequence)
  expect(waited).toBeGreaterThan(sequences)
})

async function runSequence(seed: number): Promise<number> {
  const chance = chanceOf(createRandom(seed, 7))
  const store = createStore('locks', { things: { key: ['id'], unique: { name: ['name'] } } })
  const [real, virtual] = [realSide(), virtualSide(store)]
  const history: string[] = []
  let waited = 0
  await watcher.query('TRUNCATE things')
  for (const { client } of clients) await client.query('BEGIN')
  for (let step = 0; step < steps; step += 1) {
    const free = owners.filter((owner) => virtual.look(owner) !== 'waits')
    if (free.length === 0) break
    const owner = chance.pick(free)
    if (chance.happens(0.25)) {
      const how = chance.pick(['commit', 'rollback'] as const)
      history.push(`${owner} ${how}`)
      await clients[owner]?.client.query(`${how}; BEGIN`)
      virtual.end(owner, how)
    } else {
      const kind = chance.pick(Object.keys(kinds))
      const [key, unique] = [chance.pick(keys), chance.pick(['x', 'y', null])]
      const asked = kinds[kind]?.(key, unique as string) as Step
      history.push(`${owner} ${kind} ${key} ${unique ?? ''}`)
      virtual.ask(owner, asked)
      if (virtual.state.undecided) break
      real.ask(owner, asked)
    }
    if (virtual.state.undecided) break
    for (const each of owners) {
      if (virtual.look(each) === 'waits') waited += 1

      if (lastWasAsked(history, each))
        expect(await real.look(each), `seed ${seed}\n${history.join('\n')}\nof ${each}`).toBe(virtual.look(each))
    }
  }
  // Ending the other transactions releases the ones that wait.
  await watcher
    .query('SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS pid', [clients.map(({ pid }) => pid)])
    .catch(() => {})
  for (const { client } of clients) await client.query('ROLLBACK').catch(() => client.query('ROLLBACK'))
  return waited
}

/** Returns true if the owner's last step was a statement, not the end of its transaction. */
function lastWasAsked(history: readonly string[], owner: number): boolean {
  return !/commit|rollback/.test(history.findLast((line) => line.startsWith(`${owner} `)) ?? 'commit')
}
