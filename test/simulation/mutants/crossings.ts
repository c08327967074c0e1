/**
 * Cases that no seed would bring: an earlier call repeated at another moment, or the next call with one value changed.
 * Every compare-and-set then meets a row that has moved on, a foreign id, an old sequence or another process's token.
 * Each crossing is rolled back, so the seed continues as if it had not run.
 */

import { isUuid } from '@financial-agents/postgres/is-uuid'
import { isDeep } from '@financial-agents/testkit/deep'
import type { Models, Recorded } from '../virtual/database.ts'
import { chanceOf, createRandom } from '../virtual/random.ts'
import { type Row, SqlError, Transaction } from '../virtual/tables.ts'
import { type ServiceName, services } from '../world/services.ts'
import type { World } from '../world/world.ts'
import { mutantsOf } from './mutants-of-statements.ts'
import { type Ids, namedBy, valuesOf, vary } from './vary.ts'

type Call = { text: string; values: readonly unknown[] }
type Asked = Call & { name: string }
type Record = (entry: Recorded, crossed: boolean) => void

/** The share of moments at which a case is inserted. */
const share = isDeep ? 0.3 : 0.1
const maxCalls = 64
const chance = chanceOf(createRandom(1, 3))
/** Calls by service and statement, across all seeds. The last calls of one seed are repeated in the middle of the next. */
const calls = new Map<string, Map<string, Call[]>>()

/** Records the statements of a seed, and inserts crossings while no transaction is open. */
export function createCrossings(record: Record) {
  const ids = new Map<string, Ids>()
  let world: World | undefined

  function note({ service, name, text, values }: Extract<Recorded, { type: 'statement' }>): void {
    const seen = ids.get(service) ?? []
    ids.set(service, seen)
    for (const value of values.flatMap(valuesOf)) if (isUuid(value) && !seen.includes(value)) seen.push(value)
    if (!hasConditions(text)) return
    const ofService = calls.get(service) ?? new Map<string, Call[]>()
    calls.set(service, ofService)
    const some = ofService.get(name) ?? []
    ofService.set(name, some)
    some.push({ text, values })
    if (some.length > maxCalls) some.shift()
  }

  /** Repeats an earlier call now. */
  function crossEarlier(service: ServiceName): void {
    const store = world?.stores[service]
    const known = [...(calls.get(service) ?? [])]
    if (!store || known.length === 0 || (store.turn && !store.turn.ended)) return
    const [name, some] = chance.pick(known)
    // The latest calls belong to this seed, so their rows exist.
    const { text, values } = chance.pick(chance.happens(0.5) ? some.slice(-6) : some)
    crossAlone(new Transaction(store), service, {
      name,
      text,
      values: cross(values, chance.pick(some).values, ids.get(service) ?? []),
    })
  }

  /** Runs the next call with one value changed, at the moment at which the service makes that call. */
  function crossNext(tx: Transaction, { name, text, values }: Asked): void {
    const service = tx.store.name as ServiceName
    const some = calls.get(service)?.get(name)
    if (tx.ended || !world || !some || !chance.happens(share)) return
    const crossed = { name, text, values: cross(values, chance.pick(some).values, ids.get(service) ?? []) }
    if (tx.alone) return crossAlone(new Transaction(tx.store), service, crossed)
    const savepoint = tx.savepoint()
    const rows = complete(tx, services[service].models, crossed)
    savepoint.restore()
    if (!rows) return
    record({ type: 'savepoint', service }, true)
    record({ type: 'statement', service, alone: false, ...crossed, rows }, true)
    record({ type: 'rollback to savepoint', service }, true)
  }

  function crossAlone(tx: Transaction, service: ServiceName, crossed: Asked): void {
    const rows = complete(tx, services[service].models, crossed)
    tx.rollback()
    if (!rows) return
    record({ type: 'statement', service, alone: false, ...crossed, rows }, true)
    record({ type: 'rollback', service }, true)
  }

  return {
    begin: (begun: World) => {
      world = begun
    },
    beforeStatement: crossNext,
    record: (entry: Recorded) => {
      record(entry, false)
      if (entry.type === 'statement') note(entry)
      const service = entry.service as ServiceName
      const ends = entry.type === 'commit' || (entry.type === 'statement' && entry.alone)
      if (ends && chance.happens(share)) world?.scheduler.after(0, null, () => crossEarlier(service))
    },
  }
}

const conditions = new Map<string, boolean>()

function hasConditions(text: string): boolean {
  const known = conditions.get(text) ?? mutantsOf(text).length > 0
  conditions.set(text, known)
  return known
}

/** Returns the rows; null if a constraint refuses the call or no caller could make it. Such a call is no case. */
function complete(tx: Transaction, models: Models, { name, values }: Asked): Row[] | null {
  if (values.some(repeatsIds)) return null
  const model = models[name]
  if (!model) throw new Error(`${name} has no model`)
  try {
    const step = model(tx, values).next()
    if (!step.done) throw new Error(`${name} waits for a transaction, and none is open`)
    return step.value
  } catch (error) {
    if (error instanceof SqlError) return null
    throw error
  }
}

/** Returns true if one id occurs twice. No caller names a row twice in one statement. */
function repeatsIds(value: unknown): boolean {
  const ids = namedBy(value)
  return ids.every(isUuid) && new Set(ids).size < ids.length
}

/** Returns the values of one call, with at most one of them changed. */
function cross(one: readonly unknown[], other: readonly unknown[], ids: Ids): unknown[] {
  if (one.length === 0 || chance.happens(0.3)) return [...one]
  const at = chance.whole(0, one.length - 1)
  return one.map((value, index) => (index === at ? vary(chance, value, other[index], ids) : value))
}
