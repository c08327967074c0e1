/**
 * A test user's movements, newest first: those of past habits, of executed transfers, and of the use of cards. They are
 * computed at each call, from the provider's clock and the transfers and cards of this process, and never stored. The
 * movements of habits are therefore the same in every process.
 */

import { hash } from 'node:crypto'
import type { ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { type Habit, habits } from './habits.ts'
import type { Money } from './money.ts'
import type { RecordOf } from './records.ts'
import type { Card, Transfer } from './resources.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

export type Movement = {
  readonly ref: string
  readonly atMs: number
  readonly source: Habit['source']
  readonly direction: Habit['direction']
  readonly amount: Money
  readonly status: ProviderActivityItem['status']
  readonly text: string
  readonly other: string | null
  readonly category: string | null
  /** The card of the movement. Cards from before this process were made by no application. */
  readonly cardRef: string | null
}

const dayMs = 86_400_000
const pastDays = 120
const pendingForMs = 2.5 * dayMs
/** One in this many occurrences of a habit is reversed. */
const reversedEvery = 29

export function listMovements(world: World, testUser: TestUser): readonly Movement[] {
  const nowMs = world.clock.nowMs()
  const all = [
    ...habitual(testUser, nowMs),
    ...world.transfers.listOf(testUser.id).map((transfer) => ofTransfer(transfer)),
    ...world.cards.listOf(testUser.id).flatMap((card) => ofCard(card, nowMs)),
  ]
  return all.toSorted((a, b) => b.atMs - a.atMs || (a.ref < b.ref ? 1 : -1))
}

function habitual(testUser: TestUser, nowMs: number): readonly Movement[] {
  const today = Math.floor(nowMs / dayMs)
  const mine = habits[testUser.id] ?? []
  return mine.flatMap((habit, index) => {
    const found: Movement[] = []
    const phase = (index * 7) % habit.everyDays
    for (let day = today - pastDays; day <= today; day += 1) {
      if (day % habit.everyDays !== phase) continue
      const ref = `mov_${testUser.id.slice(4)}_${index.toString(36)}_${day.toString(36)}`
      const digits = digitsOf(ref)
      const atMs = day * dayMs + habit.hour * 3_600_000 + (digits % 3_600) * 1000
      if (atMs > nowMs) continue
      const amount = { amount: centsText(between(habit, digits)), currency: habit.currency }
      const cardRef = habit.source === 'card' ? `crd_${testUser.id.slice(4)}_0` : null
      found.push({
        ...habit,
        ref,
        atMs,
        amount,
        status: statusOf(habit, Math.floor(day / habit.everyDays), nowMs - atMs),
        cardRef,
      })
    }
    return found
  })
}

function statusOf({ source }: Habit, round: number, ageMs: number): Movement['status'] {
  if (source === 'card' && ageMs < pendingForMs) return 'pending'
  return round % reversedEvery === 0 ? 'reversed' : 'posted'
}

const statuses = { pending: 'pending', succeeded: 'posted', failed: 'reversed' } as const

function ofTransfer(kept: RecordOf<Transfer>): Movement {
  const { beneficiary, amount, memo } = kept.content
  return {
    ref: `mov_${kept.providerRef}`,
    atMs: wholeSecond(kept.keptAtMs),
    source: 'spending',
    direction: 'out',
    amount,
    status: statuses[kept.show().status],
    text: memo ?? 'Transfer',
    other: beneficiary.content.name,
    category: null,
    cardRef: null,
  }
}

/**
 * The times of a card's use after its creation: twice at once, a few times soon after, then once a day for sixty days.
 */
const usedAfterMs = [0, 0, 15_000, 60_000, 300_000, 3_600_000, 6 * 3_600_000].concat(
  Array.from({ length: 60 }, (_, day) => (day + 1) * dayMs),
)

const shops = [
  ['CARD VERIFICATION', null, '6012'],
  ['NIGHT TRAIN BISTRO', 'Night Train Bistro', '5812'],
  ['GREENGROCER 17', 'Greengrocer', '5411'],
  ['CITY CYCLES', 'City Cycles', '5940'],
  ['PAPER AND INK', 'Paper and Ink', '5943'],
  ['HARBOUR CINEMA', 'Harbour Cinema', '7832'],
] as const

function ofCard(kept: RecordOf<Card>, nowMs: number): readonly Movement[] {
  if (kept.show().status !== 'succeeded') return []
  return usedAfterMs.flatMap((afterMs, index) => {
    const atMs = wholeSecond(kept.keptAtMs + afterMs)
    if (atMs > nowMs || !isUsable(kept.content, kept.keptAtMs + afterMs)) return []
    const ref = `mov_${kept.providerRef}_${index.toString(36)}`
    const [text, other, category] = shops[index === 0 ? 0 : 1 + (index % (shops.length - 1))] ?? shops[0]
    return {
      ref,
      atMs,
      source: 'card',
      direction: 'out',
      text,
      other,
      category,
      cardRef: kept.providerRef,
      amount: {
        amount: index === 0 ? '0.00' : centsText(90 + (digitsOf(ref) % 1_900)),
        currency: kept.content.terms.currency,
      },
      status: nowMs - atMs < pendingForMs ? 'pending' : 'posted',
    }
  })
}

/** True if the card was neither frozen nor closed at that time. */
function isUsable({ taken }: Card, atMs: number): boolean {
  const last = taken.findLast((action) => action.keptAtMs <= atMs && action.show().status === 'succeeded')
  return last === undefined || last.content.action === 'unfreeze'
}

function between({ lowest, highest }: Habit, digits: number): number {
  return lowest + (digits % (highest - lowest + 1))
}

/** Returns digits that look random and depend only on `ref`. */
function digitsOf(ref: string): number {
  return Number.parseInt(hash('sha256', ref, 'hex').slice(0, 12), 16)
}

function centsText(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
