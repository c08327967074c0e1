/**
 * The only module that talks to PostgreSQL for services. It has one pool per process, named statements (parsed and
 * planned once per connection), and transactions that distinguish a refusal from a commit with an unknown outcome.
 *
 * Invariant: a connection that failed in a transaction never returns to the pool.
 */

import { counter, observe } from '@financial-agents/runtime/metrics/metrics'
import pg from 'pg'
import { CommitUnknown, failureReasonOf, toUnavailable } from './errors.ts'
import { type Call, runPacket } from './packet.ts'

// Times are returned as Date, and int8 as number: no column of ours exceeds 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The name is that of the prepared statement, so it is unique in the process. */
export type Statement = { readonly name: string; readonly text: string }

/** Names a statement, so that PostgreSQL parses it once per connection. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

/** Runs statements: a pool, or a transaction. */
export type Queryable = {
  /** @throws Unavailable if PostgreSQL is out of reach */
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** A pool of connections for one schema. */
export type Database = Queryable & {
  /**
   * Runs `work` in one READ COMMITTED transaction, and rolls back if `work` throws.
   * @throws CommitUnknown if the connection broke during the commit; Unavailable if PostgreSQL is out of reach
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Runs these statements in one READ COMMITTED transaction and commits it, all in one round trip. Each statement has its
   * own snapshot. Returns the rows of each statement.
   * @throws the error of the statement that failed, and nothing is committed; CommitUnknown if no answer came
   */
  atOnce(calls: readonly Call[]): Promise<unknown[][]>
  /** Resolves when PostgreSQL has answered a query. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The address and the limits of a database. */
export type DatabaseOptions = {
  connectionString: string
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** The pool's name in the metrics; by default the application's name. */
  pool?: string | undefined
  /** The schema of the service, in which all names are resolved. */
  schema: string
  maxConnections: number
  /**
   * The statement time-out; by default 15 s. PostgreSQL cancels the statement, which then throws Unavailable. A
   * transaction in which nothing happens has as long, and at least 15 s.
   */
  statementTimeoutMs?: number | undefined
  /** The longest wait for a connection, new or free, before the caller gets Unavailable; 5 seconds by default. */
  connectTimeoutMs?: number | undefined
  /** Receives the error of a broken idle connection. The pool replaces the connection. */
  onError: (error: Error) => void
}

const ping = statement('ping', 'SELECT 1')

/** The pool makes connections when they are first needed. */
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
    atOnce: (calls) => atOnce(pool, calls),
    check: async () => {
      await rows(pool, ping)
    },
    close: async () => {
      unobserve()
      await pool.end()
    },
  }
}

const usualTimeoutMs = 15_000

/**
 * The settings of a connection. Every statement of a service finds its rows by an index. A connection keeps its plans,
 * and a plan from the time when a table was small could read the whole table for ever. Plans that read whole tables are
 * switched off.
 */
function settings(schema: string, statementTimeoutMs = usualTimeoutMs): string {
  const values = {
    search_path: schema,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: Math.max(usualTimeoutMs, statementTimeoutMs),
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
  commitsUnknown.startAtZero([{}])
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

const begin = statement('begin', 'BEGIN')

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
  return withClient(pool, async (client, connection) => {
    const run = startTransaction(client)
    try {
      const result = await work({ rows: run })
      await commit(client, connection)
      return result
    } catch (error) {
      if (!connection.broken) await client.query('ROLLBACK').catch((broken: Error) => (connection.broken = broken))
      throw error
    }
  })
}

/** Runs the statements of a transaction. BEGIN travels with the first of them. */
function startTransaction(client: pg.PoolClient): Queryable['rows'] {
  let begun: Promise<unknown> | undefined
  return async <Row>(query: Statement, values: readonly unknown[] = []) => {
    if (begun) {
      await begun
      return rows<Row>(client, query, values)
    }
    const first = packet(client, [[begin], [query, values]])
    begun = first.catch(() => {})
    return (await first)[1] as Row[]
  }
}

/** @throws CommitUnknown if no answer came */
async function commit(client: pg.PoolClient, connection: { broken?: Error | undefined }): Promise<void> {
  let answer: string
  try {
    answer = (await client.query('COMMIT')).command
  } catch (error) {
    connection.broken = error as Error
    throw commitError(error)
  }
  // If an earlier statement failed and its error was ignored, PostgreSQL answers COMMIT with ROLLBACK and without an
  // error.
  if (answer !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed')
}

/** SQLSTATEs by which the session, the server, its storage or the way to it broke, perhaps after the commit. */
const broke = /^(?:08|57|58|XX)|^40003$/

/** An error with any other SQLSTATE is PostgreSQL's own refusal. All other errors leave the commit's outcome unknown. */
function commitError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !broke.test(error.code ?? '')) return error
  commitsUnknown.add({})
  return new CommitUnknown('the commit was not answered', { cause: error })
}

async function atOnce(pool: pg.Pool, calls: readonly Call[]): Promise<unknown[][]> {
  return withClient(pool, async (client, connection) => {
    try {
      return (await runPacket(client, calls)).map((result) => result.rows as unknown[])
    } catch (error) {
      noteFailure(error)
      const known = commitError(error)
      if (known instanceof CommitUnknown) connection.broken = known
      throw toUnavailable(known)
    }
  })
}

async function packet(client: pg.PoolClient, calls: readonly Call[]): Promise<unknown[][]> {
  try {
    return (await runPacket(client, calls)).map((result) => result.rows as unknown[])
  } catch (error) {
    noteFailure(error)
    throw toUnavailable(error)
  }
}

/** Lends a connection. One that broke, or that `work` marks as broken, does not return to the pool. */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, connection: { broken?: Error | undefined }) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    noteFailure(error)
    throw toUnavailable(error)
  })
  const connection: { broken?: Error | undefined } = {}
  const noteBroken = (error: Error) => {
    connection.broken = error
  }
  client.on('error', noteBroken)
  try {
    return await work(client, connection)
  } finally {
    client.off('error', noteBroken)
    client.release(connection.broken)
  }
}
