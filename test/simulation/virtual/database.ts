/**
 * `Database` of libs/platform/postgres over the tables in memory, with the same guarantees and the same failures. A statement's
 * in-memory model is found by the statement's name. Each statement travels to the server and back, and its connection may break on
 * either way.
 *
 * Invariant: a process that crashes loses its open transactions. Its commits stay, even if their replies never arrived.
 */

import type { Database, Queryable, Statement } from '@financial-agents/postgres/database'
import { CommitUnknown } from '@financial-agents/postgres/errors'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Chance } from './random.ts'
import type { Scheduler, VirtualProcess } from './scheduler.ts'
import { type Row, SqlError, type Steps, type Store, Transaction } from './tables.ts'

/** A statement's in-memory model: changes the tables as the statement does, and returns the statement's rows. */
export type Model = (tx: Transaction, values: readonly unknown[]) => Steps<Row[]>
export type Models = Readonly<Record<string, Model>>

/** Probabilities of faults between a process and its database; all 0 once the faults have ended. */
export type DatabaseFaults = {
  /** The commit may or may not take effect, and gets no reply. */
  ambiguousCommit: number
  /** A statement's connection breaks. */
  broken: number
  /** The process crashes just after its commit, before the reply arrives. */
  crashAfterCommit: number
  /** Time to the server or back, ms. */
  latency: () => number
}

/** A recorded statement or transaction step and its result, in the order of execution. */
export type Recorded = { service: string } & (
  | { type: 'statement'; alone: boolean; name: string; text: string; values: readonly unknown[]; rows: Row[] }
  | { type: 'failed'; alone: boolean; name: string; text: string; values: readonly unknown[]; code: string }
  | { type: 'commit' | 'rollback' | 'savepoint' | 'rollback to savepoint' }
)

export type VirtualDatabases = {
  scheduler: Scheduler
  chance: Chance
  faults: DatabaseFaults
  /** Services whose server cannot be reached. */
  down: Set<string>
  crash: (owner: VirtualProcess) => void
  /** The server to which the process is connected, where more than one says that it is the primary. */
  primaryOf: (owner: VirtualProcess, store: Store) => Store
  /** Receives everything that reaches a server. While it is set, transactions run one at a time. */
  record: ((entry: Recorded) => void) | null
  /** While recording, receives each statement before it runs. */
  beforeStatement: ((tx: Transaction, asked: { name: string; text: string; values: readonly unknown[] }) => void) | null
  trace: (owner: VirtualProcess | null, what: string) => void
}

type Connection = {
  tx: Transaction
  owner: VirtualProcess
  broken: boolean
  failed: boolean
  /** Statements of one connection run one at a time. */
  last: Promise<unknown>
}

export function openVirtualDatabase(parts: VirtualDatabases, store: Store, models: Models, owner: VirtualProcess) {
  const { scheduler, chance, faults } = parts
  const outOfReach = () => new Unavailable('PostgreSQL is out of reach: the connection broke')

  /** Makes one round trip to the server. The result or error of `atServer` arrives only if the process is still alive. */
  function travel<Result>(atServer: (answer: (error: unknown, result?: Result) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      scheduler.after(faults.latency(), null, () => {
        let answered = false
        atServer((error, result) => {
          if (answered) return
          answered = true
          scheduler.after(faults.latency(), owner, () => (error ? reject(error) : resolve(result as Result)))
        })
      })
    })
  }

  /** Runs until the statement ends or waits; continues when the transaction that it waits for has ended. */
  function proceed(tx: Transaction, steps: Steps<Row[]>, done: (error: unknown, rows?: Row[]) => void): void {
    if (tx.ended) return done(outOfReach())
    tx.waitsFor = null
    let step: IteratorResult<Transaction, Row[]>
    try {
      step = steps.next()
    } catch (error) {
      if (!(error instanceof SqlError)) scheduler.fail(error)
      return done(error)
    }
    if (step.done) return done(null, step.value)
    const holder = step.value
    for (let other: Transaction | null = holder; other; other = other.waitsFor)
      if (other === tx) return done(new SqlError('40P01', 'deadlock detected'))
    tx.waitsFor = holder
    holder.waiters.push(() => scheduler.after(0, null, () => proceed(tx, steps, done)))
  }

  function execute(statement: Statement, values: readonly unknown[], connection: Connection | null): Promise<Row[]> {
    const name = statement.name === '' ? unnamed(statement.text) : statement.name
    const model = models[name]
    if (!model) {
      const missing = new Error(`the statement ${store.name}/${name} has no model in test/simulation/statements`)
      scheduler.fail(missing)
      throw missing
    }
    return travel<Row[]>((answer) => {
      if (parts.down.has(store.name)) return breakOff(connection, () => answer(outOfReach()))
      if (connection?.broken || connection?.tx.ended) return answer(outOfReach())
      if (connection?.failed) return answer(new SqlError('25P02', 'the transaction is aborted'))
      const breaks = chance.happens(faults.broken)
      if (breaks && chance.happens(0.5)) return breakOff(connection, () => answer(outOfReach()))
      const tx = connection?.tx ?? new Transaction(parts.primaryOf(owner, store))
      if (connection === null) tx.alone = true
      const say = { service: store.name, alone: tx.alone, name, text: statement.text, values }
      inTurn(tx, () => {
        parts.beforeStatement?.(tx, say)
        proceed(tx, model(tx, values), (error, rows) => {
          if (error instanceof SqlError) parts.record?.({ ...say, type: 'failed', code: error.code })
          else if (rows) parts.record?.({ ...say, type: 'statement', rows })
          if (error) {
            if (connection) connection.failed = true
            else tx.rollback()
            return answer(error)
          }
          if (!connection) commit(tx, name)
          if (breaks) return breakOff(connection, () => answer(outOfReach()))
          answer(null, rows)
        })
      })
    })
  }

  /** While recording, transactions run one at a time, so that a single connection can repeat them. */
  function inTurn(tx: Transaction, go: () => void): void {
    const { turn } = store
    if (parts.record && turn !== null && turn !== tx && !turn.ended)
      return void turn.waiters.push(() => scheduler.after(0, null, () => inTurn(tx, go)))
    store.turn = tx
    go()
  }

  function breakOff(connection: Connection | null, answer: () => void): void {
    if (connection) {
      connection.broken = true
      connection.tx.rollback()
    }
    answer()
  }

  function commit(tx: Transaction, what: string): void {
    tx.commit()
    if (tx.changed > 0) parts.trace(owner, `commit ${store.name} ${what}`)
    if (owner.alive && chance.happens(faults.crashAfterCommit)) parts.crash(owner)
  }

  async function transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const tx = new Transaction(parts.primaryOf(owner, store))
    const connection: Connection = { tx, owner, broken: false, failed: false, last: Promise.resolve() }
    open.add(connection)
    try {
      const result = await work({
        rows: <R>(statement: Statement, values: readonly unknown[] = []) => {
          const rows = connection.last.then(() => execute(statement, values, connection))
          connection.last = rows.catch(() => {})
          return rows as Promise<R[]>
        },
      })
      await travel<null>((answer) => {
        if (connection.broken || tx.ended) return answer(new CommitUnknown('the commit was not answered'))
        if (connection.failed) {
          tx.rollback()
          return answer(new Error('the transaction was rolled back: one of its statements had failed'))
        }
        const lost = parts.down.has(store.name) || chance.happens(faults.ambiguousCommit)
        if (lost && chance.happens(0.5)) tx.rollback()
        else commit(tx, 'transaction')
        answer(lost ? new CommitUnknown('the commit was not answered') : null)
      })
      return result
    } catch (error) {
      scheduler.after(faults.latency(), null, () => tx.rollback())
      throw error
    } finally {
      open.delete(connection)
    }
  }

  const open = new Set<Connection>()
  const database: Database = {
    rows: async <R>(statement: Statement, values: readonly unknown[] = []) =>
      (await execute(statement, values, null)) as R[],
    transaction,
    atOnce: (calls) =>
      transaction(async (tx) => {
        const results: unknown[][] = []
        for (const [statement, values] of calls) results.push(await tx.rows(statement, values))
        return results
      }),
    check: async () => {
      if (parts.down.has(store.name)) throw outOfReach()
    },
    close: () => Promise.resolve(),
  }
  return {
    database,
    /** The server notices that the process is gone. */
    abandon: () => {
      for (const { tx } of open) scheduler.after(faults.latency(), null, () => tx.rollback())
      open.clear()
    },
  }
}

/**
 * Finds the in-memory model of an unnamed query by its first words. A query without a name has a shape that depends on the
 * request.
 */
function unnamed(text: string): string {
  return text.startsWith('select "id", "kind", "state"') ? 'list_operations' : text.slice(0, 60)
}
