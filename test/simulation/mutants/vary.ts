/** Changes one value of a call: to the value of another call, or to a neighbouring value. */

import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Chance } from '../virtual/random.ts'
import type { Row } from '../virtual/tables.ts'

export type Ids = string[]

const shiftsMs = [-3_600_000, -1_000, 1_000, 3_600_000, 86_400_000, 8 * 86_400_000, 40 * 86_400_000]
/** A larger number is a limit or a time-out, not a count. */
const largestCount = 10

/**
 * Varies a value.
 *
 * @param other the value at the same place in another call
 * @param ids ids of rows that exist or existed
 */
export function vary(chance: Chance, value: unknown, other: unknown, ids: Ids): unknown {
  if (isRecordset(value)) return varyRecordset(chance, JSON.parse(value) as Row[], other, ids)
  if (Array.isArray(value)) {
    const theirs = Array.isArray(other) ? other : []
    return value.map((item, index) => varyOne(chance, item, theirs[index % (theirs.length || 1)], ids))
  }
  return varyOne(chance, value, other, ids)
}

/** Returns the items of a list, or the members of a recordset. */
export function valuesOf(value: unknown): unknown[] {
  if (isRecordset(value)) return (JSON.parse(value) as Row[]).flatMap((item) => Object.values(item))
  return Array.isArray(value) ? value : [value]
}

/** Returns the ids that name the items of a list or recordset. */
export function namedBy(value: unknown): unknown[] {
  if (!isRecordset(value)) return Array.isArray(value) ? value : []
  return (JSON.parse(value) as Row[]).map((item) => item.operation_id ?? item.id)
}

function isRecordset(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('[{')
}

function varyRecordset(chance: Chance, items: readonly Row[], other: unknown, ids: Ids): string {
  const theirs = isRecordset(other) ? (JSON.parse(other) as Row[]) : []
  const member = chance.pick(Object.keys(items[0] ?? {}))
  const varied = items.map((item, index) => {
    const their = theirs[index % (theirs.length || 1)]?.[member]
    return { ...item, [member]: varyOne(chance, item[member], their, ids) }
  })
  return JSON.stringify(varied)
}

function varyOne(chance: Chance, value: unknown, other: unknown, ids: Ids): unknown {
  if (other !== undefined && chance.happens(0.5)) return other
  if (isUuid(value)) return ids.length > 0 ? chance.pick(ids.slice(-40)) : value
  if (typeof value === 'number') return value <= largestCount ? value + chance.pick([-1, 1]) : value
  if (typeof value === 'boolean') return !value
  if (value instanceof Date) return new Date(value.getTime() + chance.pick(shiftsMs))
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return new Date(Date.parse(value) + chance.pick(shiftsMs)).toISOString()
  return value
}
