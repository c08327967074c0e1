/**
 * The in-memory models do what their SQL does. Every statement that the services ran on their tables in memory runs on PostgreSQL
 * again. Each answer and all remaining rows must be equal. An in-memory model that no recorded seed used fails the test.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { isDeep } from '@financial-agents/testkit/deep'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations as beneficiaries } from '../../services/beneficiaries/src/migrations.ts'
import { migrations as cards } from '../../services/cards/src/migrations.ts'
import { migrations as onboarding } from '../../services/onboarding/src/migrations.ts'
import { migrations as operations } from '../../services/operations/src/migrations.ts'
import { migrations as reconciler } from '../../services/reconciler/src/migrations.ts'
import { migrations as spending } from '../../services/spending/src/migrations.ts'
import { migrations as submitter } from '../../services/submitter/src/migrations.ts'
import { acceptedMutants } from './mutants/accepted.ts'
import { probe, type Unnoticed } from './mutants/probe.ts'
import { decode, type Line } from './recording.ts'
import { beneficiariesModels } from './statements/beneficiaries.ts'
import { cardsModels } from './statements/cards.ts'
import { onboardingModels } from './statements/onboarding.ts'
import { operationsModels } from './statements/operations.ts'
import { reconcilerModels } from './statements/reconciler.ts'
import { spendingModels } from './statements/spending.ts'
import { submitterModels } from './statements/submitter.ts'
import { firstEpoch } from './virtual/tables.ts'

const seeds = isDeep ? '20005..20085' : '20005..20045'
const services = {
  operations: { migrations: operations, models: operationsModels },
  submitter: { migrations: submitter, models: submitterModels },
  reconciler: { migrations: reconciler, models: reconcilerModels },
  onboarding: { migrations: onboarding, models: onboardingModels },
  beneficiaries: { migrations: beneficiaries, models: beneficiariesModels },
  cards: { migrations: cards, models: cardsModels },
  spending: { migrations: spending, models: spendingModels },
}
const unnoticed: Unnoticed = new Map()
type Row = Record<string, unknown>
type Server = { client: pg.Client; database: TestDatabase; inTransaction: boolean; tables: string[]; tokens: Tokens }

const servers = new Map<string, Server>()
let lines: Line[] = []

beforeAll(async () => {
  pg.types.setTypeParser(pg.types.builtins.DATE, String)
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'))
  const file = join(folder, 'recording')
  const recorded = spawnSync(process.execPath, [join(import.meta.dirname, 'record.ts'), seeds, file], {
    encoding: 'utf8',
  })
  expect(recorded.status, recorded.stderr).toBe(0)
  lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  rmSync(folder, { recursive: true })
  for (const [service, { migrations }] of Object.entries(services))
    servers.set(service, await start(service, migrations))
})

afterAll(async () => {
  for (const { client, database } of servers.values()) {
    await client.end()
    await database.close()
  }
})

async function start(
  service: string,
  migrations: Parameters<typeof createTestDatabase>[0]['migrations'],
): Promise<Server> {
  const database = await createTestDatabase({ service, migrations })
  const client = new pg.Client({
    connectionString: database.connectionString,
    options: `-c search_path=${database.schema} -c timezone=UTC`,
  })
  await client.connect()
  const { rows } = await client.query<{ name: string; kept: boolean }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = $1::regnamespace`,
    [database.schema],
  )
  const fixed = ['migrations']
  const tables = rows.map(({ name }) => name).filter((name) => !fixed.some((one) => name.includes(one)))
  for (const name of tables) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  if (tables.includes('witness'))
    await client.query(
      `CREATE OR REPLACE FUNCTION database_epoch() RETURNS text LANGUAGE sql STABLE AS $f$ SELECT '${firstEpoch}' $f$`,
    )
  return { client, database, inTransaction: false, tables, tokens: new Map() }
}

/**
 * Makes values comparable: times as numbers, bytes as text, members sorted, nulls left out. PostgreSQL reads its own clock for
 * `marked_at`.
 */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([name, member]) => member !== null && member !== undefined && name !== 'marked_at',
  )
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]),
  )
}

/** Sorts rows as text, because their order does not count. */
const comparable = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(plain(row))).toSorted()

/** PostgreSQL draws lock tokens of its own. Maps each token of the in-memory model to the token of PostgreSQL. */
type Tokens = Map<string, string>
const withTokens = (tokens: Tokens, text: string) =>
  tokens.size > 0 ? text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => tokens.get(id) ?? id) : text
const translate = (tokens: Tokens, value: unknown): unknown => {
  if (typeof value === 'string') return withTokens(tokens, value)
  return Array.isArray(value) ? value.map((one) => translate(tokens, one)) : value
}

function learnTokens(tokens: Tokens, ours: readonly Row[], theirs: readonly Row[]): void {
  const byOperation = new Map(theirs.map((row) => [row.operation_id, row.lock_token]))
  for (const { operation_id, lock_token } of ours)
    if (typeof lock_token === 'string') tokens.set(lock_token, byOperation.get(operation_id) as string)
}

async function repeat(server: Server, line: Extract<Line, { type: 'statement' | 'failed' }>): Promise<void> {
  const { client, tokens } = server
  if (!line.alone && !server.inTransaction) {
    await client.query('BEGIN')
    server.inTransaction = true
  }
  const values = (decode(line.values) as unknown[]).map((value) => translate(tokens, value))
  await probe(client, { ...line, values, answers: line.type === 'statement' && line.crossed !== true }, unnoticed)
  const answer = await client
    .query<Row>({ ...(line.name === 'list_operations' ? {} : { name: line.name }), text: line.text, values })
    .then(
      ({ rows }) => rows,
      (error: unknown) => (error as { code?: string }).code,
    )
  const about = `${line.service}/${line.name} ${JSON.stringify(line.values)}`
  // A crossed call that a constraint refuses could not occur, so it is no case.
  if (line.type === 'statement' && line.crossed && typeof answer === 'string' && /^2[23]/.test(answer)) return
  if (line.type === 'failed' || !Array.isArray(answer)) {
    expect(answer, about).toBe(line.type === 'failed' ? line.code : 'an answer')
    return
  }
  const ours = decode(line.rows) as Row[]
  learnTokens(tokens, ours, answer)
  if (
    /_lock(_shared|_alone)?$|_durable$/.test(line.name) &&
    line.rows.length === 1 &&
    Object.keys(line.rows[0] ?? {}).length === 0
  )
    return
  expect(comparable(answer), about).toEqual(
    comparable(ours.map((row) => JSON.parse(withTokens(tokens, JSON.stringify(plain(row)))) as Row)),
  )
}

async function lay({ client, tables }: Server, rows: Record<string, Row[]>): Promise<void> {
  await client.query(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`)
  for (const [table, some] of Object.entries(rows))
    for (const row of some) {
      const columns = Object.keys(row)
      const places = columns.map((_, index) => `$${index + 1}`)
      const values = columns.map((name) => (isJson(name, row[name]) ? JSON.stringify(row[name]) : row[name]))
      await client.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, values)
    }
}

/** A list of names is an array of PostgreSQL. Other objects are JSON, and so is `changes`, which may be empty. */
const isJson = (name: string, value: unknown) =>
  name === 'changes' ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !Buffer.isBuffer(value))

async function compareTables({ client, tokens }: Server, service: string, rows: Record<string, Row[]>): Promise<void> {
  for (const [table, ours] of Object.entries(rows)) {
    const { rows: theirs } = await client.query<Row>(`SELECT * FROM ${table}`)
    const known = (row: Row) => {
      const { id, ...rest } = JSON.parse(withTokens(tokens, JSON.stringify(plain(row)))) as Row
      return table === 'parked_events' ? rest : { id, ...rest }
    }
    expect(comparable(theirs.map(known)), `${service}.${table}`).toEqual(comparable(ours.map(known)))
  }
}

test('PostgreSQL answers as the in-memory models did, and is left with the same rows', async () => {
  await Promise.all([...servers].map(([service, server]) => checkService(service, server)))
})

/** Runs the statements of one service in their order. No service reads the tables of another. */
async function checkService(service: string, server: Server): Promise<void> {
  let hasBegun = false
  for (const line of lines) {
    if (line.type === 'seed') {
      hasBegun = false
      server.tokens.clear()
      continue
    }
    if (line.service !== service) continue
    if (line.type === 'tables') {
      if (server.inTransaction) await client(server, 'ROLLBACK')
      const tables = decode(line.tables) as Record<string, Row[]>
      if (hasBegun) await compareTables(server, service, tables)
      else await lay(server, tables)
      hasBegun = true
    } else if (line.type === 'statement' || line.type === 'failed') await repeat(server, line)
    else await end(server, line.type)
  }
}

type EndOf = 'commit' | 'rollback' | 'savepoint' | 'rollback to savepoint'

async function end(server: Server, type: EndOf): Promise<void> {
  if (type === 'savepoint' || type === 'rollback to savepoint') {
    if (type === 'savepoint' && !server.inTransaction) await client(server, 'BEGIN')
    server.inTransaction = true
    await server.client.query(type === 'savepoint' ? 'SAVEPOINT crossing' : 'ROLLBACK TO SAVEPOINT crossing')
  } else if (server.inTransaction) await client(server, type)
}

async function client(server: Server, command: string): Promise<void> {
  await server.client.query(command)
  server.inTransaction = false
}

test.each(Object.entries(services))('every in-memory model of %s was compared', (service, { models }) => {
  const compared = new Set(
    lines.flatMap((line) => (line.type === 'statement' && line.service === service ? line.name : [])),
  )
  expect(Object.keys(models).filter((name) => !compared.has(name))).toEqual([])
})

test('of every statement with conditions a recorded case is decided by one; in a deep run by each', () => {
  const undecided = [...unnoticed.values()]
    .filter(({ noticed }) => isDeep || !noticed)
    .flatMap(({ mutants }) => [...mutants.keys()])
  expect(undecided.toSorted()).toEqual([])
})

test('every condition that is listed as undecided is there', () => {
  const there = new Set([...unnoticed.values()].flatMap(({ accepted }) => accepted))
  expect([...acceptedMutants].filter((name) => !there.has(name))).toEqual([])
})
