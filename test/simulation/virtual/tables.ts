/**
 * Tables in memory with the concurrency rules of PostgreSQL's READ COMMITTED: row locks with waiting, unique keys that
 * wait for the transaction that may take them, SKIP LOCKED, advisory locks, and writes that other transactions see only
 * after the commit.
 *
 * Invariant: a statement that blocks in PostgreSQL blocks here. A statement is a generator that yields when it has to
 * wait.
 */

export type Row = Record<string, unknown>
export type Key = string

export type TablePlan = {
  key: readonly string[]
  unique?: Readonly<Record<string, readonly string[]>>
  /** The condition of a partial unique index. Only an insert may bring a row into the index. */
  uniqueWhere?: Readonly<Record<string, (row: Row) => boolean>>
  /** Generated columns. */
  derive?: (row: Row) => Row
  /** The table's constraints: returns a word for the violated one. */
  refuses?: (row: Row) => string | undefined
}

/** Fails as a statement of PostgreSQL would, with its SQLSTATE. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export class Table {
  readonly name: string
  readonly plan: TablePlan
  readonly rows = new Map<Key, Row>()
  /** For each further unique key: the key of the row that holds it. */
  readonly indexes = new Map<string, Map<string, Key>>()
  /** The open transactions that locked, inserted or changed the row with this key. */
  readonly holders = new Map<Key, Transaction>()
  /** Unique keys that an open transaction has inserted. */
  readonly reserved = new Map<string, Transaction>()

  constructor(name: string, plan: TablePlan) {
    this.name = name
    this.plan = plan
    for (const index of Object.keys(plan.unique ?? {})) this.indexes.set(index, new Map())
  }
  keyOf(row: Row): Key {
    return textOf(row, this.plan.key) ?? 'null'
  }
  /** Yields the further unique keys of a row by their index. A key that contains a null conflicts with nothing. */
  *uniqueOf(row: Row): Generator<[index: string, key: string]> {
    for (const [index, columns] of Object.entries(this.plan.unique ?? {})) {
      if (this.plan.uniqueWhere?.[index]?.(row) === false) continue
      const key = textOf(row, columns)
      if (key !== undefined) yield [index, key]
    }
  }
}

function textOf(row: Row, columns: readonly string[]): string | undefined {
  if (columns.length === 1) {
    const only = row[columns[0] as string]
    return only === null || only === undefined ? undefined : `${only as string | number}`
  }
  let text = ''
  for (const column of columns) {
    const value = row[column]
    if (value === null || value === undefined) return undefined
    text += `${value as string | number}\u0001`
  }
  return text
}

/** The transaction whose end a statement waits for. */
export type Wait = Transaction
export type Steps<Result> = Generator<Wait, Result, void>

export type Change = { table: Table; key: Key; before: Row | undefined; after: Row | undefined }

/** A commit of one service. */
export type Commit = { store: Store; changes: readonly Change[] }

/** The tables of one service. */
export type Store = {
  readonly name: string
  /** The answer of `database_epoch()`: a new one with each start of the server. */
  epoch: string
  readonly tables: ReadonlyMap<string, Table>
  readonly shared: Map<string, Set<Transaction>>
  readonly exclusive: Map<string, Transaction>
  /** Transactions that wait for the advisory lock, in order of arrival. No service has more than one such lock. */
  readonly queued: { tx: Transaction; mode: 'shared' | 'exclusive' }[]
  onCommit: (changes: readonly Change[]) => void
  /** Receives each commit, in the order of all commits. */
  journal: Commit[] | null
  onEnd: (tx: Transaction, how: 'commit' | 'rollback') => void
  /** Counters of the identity columns, by table. A number is never drawn twice, whether its transaction commits or not. */
  readonly counters: Map<string, number>
  /** Transactions that have not ended. */
  readonly open: Set<Transaction>
  /** The current transaction, where transactions run one at a time. */
  turn: Transaction | null
}

/** System identifier, timeline, start. */
export const firstEpoch = '1/1/0'

export function createStore(name: string, plans: Readonly<Record<string, TablePlan>>): Store {
  return {
    name,
    epoch: firstEpoch,
    tables: new Map(Object.entries(plans).map(([table, plan]) => [table, new Table(table, plan)])),
    shared: new Map(),
    exclusive: new Map(),
    queued: [],
    onCommit: () => {},
    journal: null,
    onEnd: () => {},
    counters: new Map(),
    open: new Set(),
    turn: null,
  }
}

export class Transaction {
  readonly store: Store
  ended = false
  /** True if the transaction consists of one statement. */
  alone = false
  /** The number of rows that its commit changed. */
  changed = 0
  /** Continuations of statements that wait for the end of this transaction. */
  readonly waiters: (() => void)[] = []
  waitsFor: Transaction | null = null
  private readonly writes = new Map<Table, Map<Key, Row | null>>()
  private readonly held: [Map<string, Transaction>, string][] = []
  private readonly sharedLocks: string[] = []

  constructor(store: Store) {
    this.store = store
    store.open.add(this)
  }

  table(name: string): Table {
    const table = this.store.tables.get(name)
    if (!table) throw new Error(`the virtual schema ${this.store.name} has no table ${name}`)
    return table
  }

  /** The next number of an identity column. */
  next(name: string): number {
    const number = (this.store.counters.get(name) ?? 0) + 1
    this.store.counters.set(name, number)
    return number
  }

  /** Returns the row as this transaction sees it now. */
  get(name: string, key: Key): Row | undefined {
    const table = this.table(name)
    const own = this.writes.get(table)?.get(key)
    return own === null ? undefined : (own ?? table.rows.get(key))
  }

  /** Returns every row that this transaction sees now. */
  all(name: string): Row[] {
    const table = this.table(name)
    const own = this.writes.get(table)
    if (!own) return [...table.rows.values()]
    const rows: Row[] = []
    for (const [key, row] of table.rows) {
      const mine = own.get(key)
      if (mine !== null) rows.push(mine ?? row)
    }
    for (const [key, row] of own) if (row !== null && !table.rows.has(key)) rows.push(row)
    return rows
  }

  isLockedByOther(name: string, key: Key): boolean {
    const holder = this.table(name).holders.get(key)
    return holder !== undefined && holder !== this
  }

  private hold(locks: Map<string, Transaction>, key: string): void {
    if (locks.get(key) === this) return
    locks.set(key, this)
    this.held.push([locks, key])
  }

  /**
   * FOR UPDATE: waits for the transaction that holds the row; returns the row as it is then, or undefined if it is
   * gone.
   */
  *lock(name: string, key: Key): Steps<Row | undefined> {
    const table = this.table(name)
    for (;;) {
      const holder = table.holders.get(key)
      if (holder === undefined || holder === this) break
      yield holder
    }
    const row = this.get(name, key)
    if (row) this.hold(table.holders, key)
    return row
  }

  private write(table: Table, key: Key, row: Row | null): void {
    let own = this.writes.get(table)
    if (!own) this.writes.set(table, (own = new Map()))
    own.set(key, row)
  }

  /** Changes a row that this transaction has locked. */
  update(name: string, key: Key, change: Row): Row {
    const table = this.table(name)
    const before = this.get(name, key)
    if (!before || table.holders.get(key) !== this) throw new Error(`${name} is changed without its lock`)
    const after = this.complete(table, { ...before, ...change })
    this.write(table, key, after)
    return after
  }

  remove(name: string, key: Key): void {
    const table = this.table(name)
    if (table.holders.get(key) !== this) throw new Error(`${name} is removed without its lock`)
    this.write(table, key, null)
  }

  private complete(table: Table, row: Row): Row {
    const whole = table.plan.derive ? { ...row, ...table.plan.derive(row) } : row
    const refusal = table.plan.refuses?.(whole)
    if (refusal !== undefined) throw new SqlError('23514', `${table.name}: ${refusal}`)
    return whole
  }

  /**
   * Inserts a row; returns false if a unique key is taken. Waits first for a transaction that may take or release the
   * key.
   *
   * @param conflict the response to a taken key: do nothing, or fail the statement
   */
  *insert(name: string, given: Row, conflict: 'nothing' | 'error' = 'error'): Steps<boolean> {
    const table = this.table(name)
    const row = this.complete(table, given)
    const key = table.keyOf(row)
    // Waits for each unique key in turn until it is decided. Then all keys are checked at once, because time passed
    // while waiting.
    const checks = [
      () => this.takenBy(table, key),
      ...[...table.uniqueOf(row)].map((unique) => () => this.takenUnique(table, key, unique)),
    ]
    for (;;) {
      for (const check of checks) {
        let taken = check()
        for (; taken instanceof Transaction; taken = check()) yield taken
        if (taken === 'free') continue
        if (conflict === 'nothing') return false
        throw new SqlError('23505', `${name}: a key is there already`)
      }
      if (checks.every((check) => check() === 'free')) break
    }
    this.hold(table.holders, key)
    for (const [index, unique] of table.uniqueOf(row)) this.hold(table.reserved, `${index}:${unique}`)
    this.write(table, key, row)
    return true
  }

  private takenUnique(table: Table, key: Key, [index, unique]: [string, string]): 'free' | 'taken' | Transaction {
    const reserver = table.reserved.get(`${index}:${unique}`)
    if (reserver !== undefined && reserver !== this) return reserver
    const own = this.writes.get(table)
    for (const [other, mine] of own ?? [])
      if (mine !== null && other !== key && [...table.uniqueOf(mine)].some(([i, k]) => i === index && k === unique))
        return 'taken'
    const owner = table.indexes.get(index)?.get(unique)
    if (owner === undefined || owner === key) return 'free'
    return this.writerOf(table, owner) ?? (own?.has(owner) ? 'free' : 'taken')
  }

  private takenBy(table: Table, key: Key): 'free' | 'taken' | Transaction {
    const writer = this.writerOf(table, key)
    if (writer) return writer
    return this.get(table.name, key) === undefined ? 'free' : 'taken'
  }

  /**
   * Finds another transaction that has inserted, changed or removed the row. A transaction that only locked the row
   * decides nothing.
   */
  private writerOf(table: Table, key: Key): Transaction | undefined {
    const holder = table.holders.get(key)
    return holder !== undefined && holder !== this && holder.writes.get(table)?.has(key) ? holder : undefined
  }

  /** Acquires the advisory lock in order of arrival. A shared request waits behind an earlier exclusive one. */
  *advisory(lock: string, mode: 'shared' | 'exclusive'): Steps<void> {
    const { shared, exclusive, queued } = this.store
    const sharing = shared.get(lock) ?? new Set()
    shared.set(lock, sharing)
    const own = { tx: this as Transaction, mode }
    for (;;) {
      const owner = exclusive.get(lock)
      if (owner === this || (mode === 'shared' && sharing.has(this))) break
      const before = queued.includes(own) ? queued.slice(0, queued.indexOf(own)) : queued
      const rival = before.find((one) => one.tx !== this && (mode === 'exclusive' || one.mode === 'exclusive'))
      const holder = mode === 'exclusive' ? [...sharing].find((tx) => tx !== this) : undefined
      const ahead = owner ?? holder ?? rival?.tx
      if (!ahead) break
      if (!queued.includes(own)) queued.push(own)
      yield ahead
    }
    this.leaveQueue()
    if (mode === 'exclusive') this.hold(exclusive, lock)
    else {
      sharing.add(this)
      this.sharedLocks.push(lock)
    }
  }

  private leaveQueue(): void {
    const { queued } = this.store
    const index = queued.findIndex(({ tx }) => tx === this)
    if (index >= 0) queued.splice(index, 1)
  }

  /** Remembers the writes so far; `restore` returns to them. Locks acquired since are kept. */
  savepoint(): { restore: () => void } {
    const writes = [...this.writes].map(([table, own]) => [table, new Map(own)] as const)
    return {
      restore: () => {
        this.writes.clear()
        for (const [table, own] of writes) this.writes.set(table, own)
      },
    }
  }

  commit(): void {
    const changes: Change[] = []
    for (const [table, own] of this.writes)
      for (const [key, after] of own) {
        const before = table.rows.get(key)
        if (before !== undefined || after !== null) changes.push({ table, key, before, after: after ?? undefined })
      }
    apply(changes)
    this.end('commit')
    if (changes.length > 0) {
      this.store.journal?.push({ store: this.store, changes })
      this.store.onCommit(changes)
    }
    this.changed = changes.length
  }

  rollback(): void {
    this.end('rollback')
  }

  private end(how: 'commit' | 'rollback'): void {
    if (this.ended) return
    this.ended = true
    this.store.open.delete(this)
    this.store.onEnd(this, how)
    for (const [locks, key] of this.held) if (locks.get(key) === this) locks.delete(key)
    this.leaveQueue()
    for (const lock of this.sharedLocks) this.store.shared.get(lock)?.delete(this)
    for (const resume of this.waiters.splice(0)) resume()
  }
}

function apply(changes: readonly Change[]): void {
  for (const { table, key, before, after } of changes) {
    if (before) for (const [index, unique] of table.uniqueOf(before)) table.indexes.get(index)?.delete(unique)
    if (after) table.rows.set(key, after)
    else table.rows.delete(key)
  }
  for (const { table, key, after } of changes)
    if (after) for (const [index, unique] of table.uniqueOf(after)) table.indexes.get(index)?.set(unique, key)
}

/** Takes the changes of a commit back, as if it had never been. No later commit may be left. */
export function undo(changes: readonly Change[]): void {
  apply(changes.map(({ table, key, before, after }) => ({ table, key, before: after, after: before })))
}

/** A copy of the committed rows. */
export function copyOf(store: Store, plans: Readonly<Record<string, TablePlan>>): Store {
  const copy = createStore(store.name, plans)
  copy.epoch = store.epoch
  for (const [name, table] of store.tables)
    apply(
      [...table.rows].flatMap(([key, after]) => {
        const into = copy.tables.get(name)
        return into ? [{ table: into, key, before: undefined, after }] : []
      }),
    )
  return copy
}
