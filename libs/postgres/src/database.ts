/**
 * The only door to PostgreSQL. One pool per process, named statements (parsed and planned once per connection), and
 * transactions that tell a refusal apart from a commit whose fate is unknown.
 *
 * Invariant: a connection that failed in the middle of a transaction never goes back to the pool.
 */

import { counter, observe } from '@financial-agents/runtime/metrics/metrics'
import pg from 'pg'
import { CommitUnknown, failureReasonOf, toUnavailable } from './errors.ts'

// Times come back as Date, and int8 as number: no column of ours exceeds 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A statement with its name; the name is the prepared statement's, so it is unique in the process. */
export type Statement = { readonly name: string; readonly text: string }

/** Names a statement, so that PostgreSQL parses it once per connection. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

/** Runs statements: a pool, or a transaction. */
export type Queryable = {
  /**
   * Rows of one statement.
   * @throws Unavailable when PostgreSQL is out of reach
   */
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** A pool on one schema. */
export type Database = Queryable & {
  /**
   * Runs `work` in one READ COMMITTED transaction. Rolls back when it throws.
   * @throws CommitUnknown when the connection broke while committing; Unavailable when PostgreSQL is out of reach
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /** Resolves when PostgreSQL has answered. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Where the database is, and how many connections are taken. */
export type DatabaseOptions = {
  connectionString: string
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** Tells this pool from others of the process in its metrics; the application's name unless said otherwise. */
  pool?: string | undefined
  /** Also the schema every name resolves in. */
  schema: string
  maxConnections: number
  /** After which PostgreSQL gives a statement up, and it throws Unavailable; 15 seconds. */
  statementTimeoutMs?: number | undefined
  /** For how long a caller waits for a connection, new or free, before it throws Unavailable; 5 seconds. */
  connectTimeoutMs?: number | undefined
  /** A broken idle connection; the pool replaces it. */
  onError: (error: Error) => void
}

const ping = statement('ping', 'SELECT 1')

/** Opens a pool on one schema. Connections are made when first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.maxConnections,
    options: settings(options.schema, options.statementTimeoutMs),
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  pool.on('error', options.onError)
  const unobserve = observePool(pool, options)
  return {
    rows: (query, values) => rows(pool, query, values),
    transaction: (work) => transaction(pool, work),
    check: async () => {
      await rows(pool, ping)
    },
    close: async () => {
      unobserve()
      await pool.end()
    },
  }
}

/**
 * Every statement of a service reaches its rows by an index. A plan is kept for as long as its connection, and one from
 * when a table was young would otherwise read all of it for ever: whatever reads whole tables is switched off.
 */
function settings(schema: string, statementTimeoutMs = 15_000): string {
  const values = {
    search_path: schema,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  }
  return Object.entries(values)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const failures = counter('financial_agents.db.failures')
const commitsUnknown = counter('financial_agents.db.commits_unknown')

function noteFailure(error: unknown): void {
  failures.add({ reason: failureReasonOf(error) })
}

function observePool(pool: pg.Pool, { pool: name, applicationName, maxConnections }: DatabaseOptions): () => void {
  const labels = { 'db.client.connection.pool.name': name ?? applicationName }
  const inState = (state: string) => ({ ...labels, 'db.client.connection.state': state })
  const [idle, used] = [inState('idle'), inState('used')]
  return observe(() => [
    ['db.client.connection.count', pool.idleCount, idle],
    ['db.client.connection.count', pool.totalCount - pool.idleCount, used],
    ['db.client.connection.max', maxConnections, labels],
    ['db.client.connection.pending_requests', pool.waitingCount, labels],
  ])
}

const begin: Statement = { name: '', text: 'BEGIN' }

type Runner = { query: (config: pg.QueryConfig) => Promise<pg.QueryResult> }

async function rows<Row>(runner: Runner, query: Statement, values: readonly unknown[] = []): Promise<Row[]> {
  try {
    const result = await runner.query({ name: query.name, text: query.text, values: values as unknown[] })
    return result.rows as Row[]
  } catch (error) {
    noteFailure(error)
    throw toUnavailable(error)
  }
}

async function transaction<Result>(pool: pg.Pool, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    noteFailure(error)
    throw toUnavailable(error)
  })
  let broken: Error | undefined
  client.on('error', noteBroken)
  function noteBroken(error: Error) {
    broken = error
  }
  try {
    await rows(client, begin)
    const result = await work({ rows: (query, values) => rows(client, query, values) })
    let answer: string
    try {
      answer = (await client.query('COMMIT')).command
    } catch (error) {
      broken = error as Error
      // An answer with an SQLSTATE is PostgreSQL's own refusal; anything else leaves the commit's fate open.
      if (error instanceof pg.DatabaseError && !error.code?.startsWith('57')) throw error
      commitsUnknown.add({})
      throw new CommitUnknown('the commit was not answered', { cause: error })
    }
    // PostgreSQL answers ROLLBACK, and no error, where a statement had failed and nobody minded.
    if (answer !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed')
    return result
  } catch (error) {
    if (!broken) await client.query('ROLLBACK').catch(noteBroken)
    throw error
  } finally {
    client.off('error', noteBroken)
    client.release(broken)
  }
}
