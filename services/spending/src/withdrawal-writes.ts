/**
 * What a withdrawal does to the tables: a draft reserves in the day of its grant, under that day's lock, and its amount is
 * let go once, where the machine says so, in the day in which it was reserved.
 *
 * Invariant: what a day has reserved is the sum of its withdrawals whose state holds their amount, and a draft never brings it
 * above the ceiling that its request came under.
 */

import type { Problem } from '@financial-agents/contract/problem'
import { routeString } from '@financial-agents/contract/route'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Draft, Move, WriteKind } from '@financial-agents/writes/write'
import { BigNumber } from 'bignumber.js'
import { judgeDay, type Money } from './ceilings.ts'
import { findNextState, heldChange, type WithdrawalState } from './withdrawal-machine.ts'
import {
  type GrantDay,
  type LockedWithdrawal,
  lockGrantDays,
  lockWithdrawals,
  type NewWithdrawal,
  recordReserved,
  recordStates,
  recordWithdrawals,
  removeWithdrawals,
} from './withdrawal-store.ts'

/** What a request says of its withdrawal; the amount in canonical form. */
export type WithdrawalInput = {
  grant_id: string
  beneficiary_id: string
  amount: string
  currency: string
  /** The grant's ceiling for a day, in the same currency, as the request found it. */
  per_day: Money | null
}

export const transfer: WriteKind<WithdrawalInput> = {
  kind: 'transfer',
  route: routeString(spendingRoutes.createWithdrawal),
  draft: async (tx, drafts, now) => {
    const day = utcDayOf(now)
    const places = drafts.map(({ input: { grant_id, currency } }) => ({ grant_id, day, currency }))
    const days = await lockGrantDays(tx, distinct(places))
    const reserved = new Map(days.map((row) => [nameOf(row), new BigNumber(row.reserved)]))
    const { refused, kept } = judgeDrafts(drafts, day, reserved)
    await recordReserved(tx, sumByDay(kept))
    await recordWithdrawals(tx, kept, now)
    return refused
  },
  follow: async (tx, moves) => {
    const byId = new Map(moves.map((move) => [move.resource_id, move]))
    const locked = await lockWithdrawals(tx, [...byId.keys()])
    await followAll(
      tx,
      locked.map((row) => ({ row, move: byId.get(row.id) as Move })),
    )
  },
}

/** `2026-11-20` */
export function utcDayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** One after another, each after what those before it took. */
function judgeDrafts(
  drafts: readonly Draft<WithdrawalInput>[],
  day: string,
  reserved: ReadonlyMap<string, BigNumber>,
): { refused: Map<string, Problem>; kept: NewWithdrawal[] } {
  const refused = new Map<string, Problem>()
  const kept: NewWithdrawal[] = []
  const held = new Map(reserved)
  for (const { operation_id, resource_id: id, owner_id, client_id, input } of drafts) {
    const { per_day, ...asked } = input
    const name = nameOf({ ...asked, day })
    const before = held.get(name)
    if (before === undefined) throw new Error('a day was not locked')
    const problem = judgeDay(per_day, before, asked.amount)
    if (problem) {
      refused.set(operation_id, problem)
    } else {
      held.set(name, before.plus(asked.amount))
      kept.push({ ...asked, id, operation_id, owner_id, client_id, day })
    }
  }
  return { refused, kept }
}

async function followAll(tx: Queryable, all: readonly { row: LockedWithdrawal; move: Move }[]): Promise<void> {
  const states: { id: string; state: WithdrawalState; at: string }[] = []
  const gone: string[] = []
  const changes: (GrantDay & { amount: string })[] = []
  for (const { row, move } of all) {
    const to = findNextState(row.state, move.to)
    if (to === undefined) continue
    if (to === 'gone') gone.push(row.id)
    else states.push({ id: row.id, state: to, at: move.at })
    const change = heldChange(row.state, to)
    if (change !== 0) changes.push({ ...row, amount: new BigNumber(row.amount).times(change).toFixed() })
  }
  await recordStates(tx, states)
  await removeWithdrawals(tx, gone)
  await recordReserved(tx, sumByDay(changes))
}

function sumByDay(items: readonly (GrantDay & { amount: string })[]): (GrantDay & { amount: string })[] {
  const groups = Map.groupBy(items, nameOf)
  return distinct(items).map((place) => {
    const amounts = (groups.get(nameOf(place)) ?? []).map(({ amount }) => amount)
    return { ...place, amount: BigNumber.sum(...amounts).toFixed() }
  })
}

function distinct(places: readonly GrantDay[]): GrantDay[] {
  const byName = new Map(
    places.map(({ grant_id, day, currency }) => [nameOf({ grant_id, day, currency }), { grant_id, day, currency }]),
  )
  return [...byName.values()]
}

function nameOf({ grant_id, day, currency }: GrantDay): string {
  return JSON.stringify([grant_id, day, currency])
}
