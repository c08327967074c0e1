/**
 * Invariant of limits (I10): the money moved for an owner and client in a day never exceeds the limit that they
 * were shown. The sum is computed here from single payments and does not use the sums in the tables.
 */

import { kindsThat } from '@financial-agents/testkit/kinds-oracle'
import { BigNumber } from 'bignumber.js'
import type { Change, Row } from '../virtual/tables.ts'
import { payerName, type ShownCeilings } from './shown-ceilings.ts'
import { type Invariant, Violation } from './violation.ts'
import type { World } from './world.ts'

type CeilingContext = {
  violate: (invariant: Invariant, message: string) => void
  truthOf: (id: string) => { state: string } | undefined
}

const payments: ReadonlySet<unknown> = new Set(kindsThat(({ pays }) => pays))
const movedNothing: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

const operationsRows = (world: World, table: string): Row[] => [
  ...(world.stores.operations.tables.get(table)?.rows.values() ?? []),
]
const sum = (amounts: readonly unknown[]) =>
  amounts.reduce((total: BigNumber, amount) => total.plus(amount as string), new BigNumber(0))
const dayOf = (at: unknown) => (at as Date).toISOString().slice(0, 10)

/**
 * The amount of a transfer. For a transfer under a mandate, the amount that the mandate's area reserved, because that
 * area knows nothing of limits.
 */
function amountOf(world: World, id: string): unknown {
  const reserved = world.stores.beneficiaries.tables.get('mandate_reservations')?.rows.get(id)
  return (reserved ?? operationsRows(world, 'transfers').find((row) => row.operation_id === id))?.amount ?? '0'
}

export function ceilingValidators(
  world: World,
  shown: { ceilings: ShownCeilings },
  { violate, truthOf }: CeilingContext,
) {
  const validate = (payer: string, amounts: readonly unknown[], how: string) => {
    const ceiling = shown.ceilings.get(payer)
    if (ceiling && sum(amounts).gt(ceiling))
      violate('I10', `${sum(amounts).toFixed()} ${how} for ${payer} under a ceiling of ${ceiling} a day`)
  }
  return {
    /** Checks the amounts reserved for a day. */
    reserved: ({ after, before }: Change): void => {
      if (!after || before) return
      const payer = payerName(after)
      const held = operationsRows(world, 'transfers').filter(
        (row) => payerName(row) === payer && row.day === after.day && row.released_at === null,
      )
      validate(
        payer,
        held.map(({ amount }) => amount),
        'are reserved',
      )
    },
    /**
     * Checks the amounts that were sent or may be sent: every operation that was accepted on the same day and may have
     * moved money.
     */
    moving: (id: string): void => {
      const operations = operationsRows(world, 'operations')
      const one = operations.find((row) => row.id === id)
      if (!one || !payments.has(one.kind)) return
      const [payer, day] = [payerName(one), dayOf(one.created_at)]
      const counts = (row: Row) => payments.has(row.kind) && !movedNothing.has(truthOf(row.id as string)?.state)
      const beside = operations.filter(
        (row) => counts(row) && payerName(row) === payer && dayOf(row.created_at) === day,
      )
      validate(
        payer,
        beside.map((row) => amountOf(world, row.id as string)),
        'are moved',
      )
    },
  }
}

/**
 * At the end: a transfer is released exactly if it moved nothing, and each day is the sum of the transfers not
 * released.
 */
export function findUnmetCeiling(world: World): Violation | null {
  const transfers = operationsRows(world, 'transfers')
  const byOperation = new Map(transfers.map((row) => [row.operation_id, row]))
  for (const { id, kind, state } of operationsRows(world, 'operations')) {
    if (!payments.has(kind)) continue
    const transfer = byOperation.get(id)
    if (!transfer || (transfer.released_at !== null) !== movedNothing.has(state))
      return new Violation('I6', `the transfer of ${String(id)} is not as its operation (${String(state)})`)
  }
  for (const day of operationsRows(world, 'ceiling_days')) {
    const place = ['owner_id', 'client_id', 'currency', 'day']
    const held = transfers.filter((row) => row.released_at === null && place.every((name) => row[name] === day[name]))
    if (!sum(held.map(({ amount }) => amount)).eq(day.reserved as string))
      return new Violation('I6', 'a day of an owner and client is not the sum of its transfers')
  }
  return null
}
