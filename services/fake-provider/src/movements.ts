/**
 * A test user's movements, newest first: those of past habits, of executed transfers, and of the use of cards. They are
 * computed at each call, from the provider's clock and the transfers and cards of this process, and never stored. The
 * movements of habits are therefore the same in every process.
 */

import { hash } from 'node:crypto'
import type { Card } from './cards.ts'
import { type Habit, habits } from './habits.ts'
import type { Money } from './money.ts'
import type { Kept } from './records.ts'
import type { TestUser } from './test-users.ts'
import type { Transfer } from './transfers.ts'
import type { World } from './world.ts'

export type Movement = {
  readonly ref: string
  readonly atMs: number
  readonly origin: Habit['origin']
  readonly flow: Habit['flow']
  readonly amount: Money
  readonly stage: 'pending' | 'booked' | 'returned'
  readonly text: string
  readonly other: string | null
  readonly mcc: string | null
  /** The card of the movement. Cards from before this process were made by no application. */
  readonly cardRef: string | null
}

const dayMs = 86_400_000
const pastDays = 120
const pendingForMs = 2.5 * dayMs
/** One in this many occurrences of a habit is returned. */
const returnedEvery = 29

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
      const amount = { value: centsText(between(habit, digits)), ccy: habit.ccy }
      const cardRef = habit.origin === 'card' ? `crd_${testUser.id.slice(4)}_0` : null
      found.push({
        ...habit,
        ref,
        atMs,
        amount,
        stage: stageOf(habit, Math.floor(day / habit.everyDays), nowMs - atMs),
        cardRef,
      })
    }
    return found
  })
}

function stageOf({ origin }: Habit, round: number, ageMs: number): Movement['stage'] {
  if (origin === 'card' && ageMs < pendingForMs) return 'pending'
  return round % returnedEvery === 0 ? 'returned' : 'booked'
}

const stages = { pending: 'pending', active: 'booked', failed: 'returned' } as const

function ofTransfer(kept: Kept<Transfer>): Movement {
  const { payee, amount, note } = kept.content
  return {
    ref: `mov_${kept.providerRef}`,
    atMs: wholeSecond(kept.keptAtMs),
    origin: 'purse',
    flow: 'debit',
    amount,
    stage: stages[kept.show().status],
    text: note ?? 'Transfer',
    other: payee.content.fullName,
    mcc: null,
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

function ofCard(kept: Kept<Card>, nowMs: number): readonly Movement[] {
  if (kept.show().status !== 'active') return []
  return usedAfterMs.flatMap((afterMs, index) => {
    const atMs = wholeSecond(kept.keptAtMs + afterMs)
    if (atMs > nowMs || !isUsable(kept.content, kept.keptAtMs + afterMs)) return []
    const ref = `mov_${kept.providerRef}_${index.toString(36)}`
    const [text, other, mcc] = shops[index === 0 ? 0 : 1 + (index % (shops.length - 1))] ?? shops[0]
    return {
      ref,
      atMs,
      origin: 'card',
      flow: 'debit',
      text,
      other,
      mcc,
      cardRef: kept.providerRef,
      amount: { value: index === 0 ? '0.00' : centsText(90 + (digitsOf(ref) % 1_900)), ccy: kept.content.terms.ccy },
      stage: nowMs - atMs < pendingForMs ? 'pending' : 'booked',
    }
  })
}

/** True if the card was neither paused nor ended at that time. */
function isUsable({ taken }: Card, atMs: number): boolean {
  const last = taken.findLast((action) => action.keptAtMs <= atMs && action.show().status === 'active')
  return last === undefined || last.content.action === 'resume'
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
