/**
 * Transfer grants: standing permissions to pay one payee within limits. The provider checks each payment, the total,
 * the number of uses and the end. It only shows the limits for days, weeks and months, which the application checks.
 */

import type { grantTerms } from '@financial-agents/provider-api/shapes/instructions'
import { BigNumber } from 'bignumber.js'
import type { z } from 'zod'
import { isTooFine, type Money } from './money.ts'
import { findPayee, type Payee } from './payees.ts'
import type { Kept, RecordBase } from './records.ts'
import { createStateful, type Moves, type Stateful } from './stateful.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

export type GrantState = 'open' | 'paused' | 'withdrawn'
export type GrantAction = 'pause' | 'withdraw'

const moves: Moves<GrantState, GrantAction> = {
  pause: { open: 'paused', paused: 'paused' },
  withdraw: { open: 'withdrawn', paused: 'withdrawn', withdrawn: 'withdrawn' },
}

export type GrantTerms = z.infer<typeof grantTerms>

export type Grant = {
  readonly payee: Kept<Payee>
  readonly terms: GrantTerms
  readonly standing: Stateful<GrantState, GrantAction>
  spent: BigNumber
  uses: number
}

/** The reason why the provider refuses the grant; undefined if it accepts. */
export function validateGrant(world: World, testUser: TestUser, terms: GrantTerms): string | undefined {
  if (findPayee(world, testUser.id, terms.payee_ref) === undefined) return 'unknown_payee'
  if (Object.values(terms.ceilings).some(isTooFine)) return 'amount_too_fine'
  return Date.parse(terms.ends_at) <= world.clock.nowMs() ? 'ends_in_the_past' : undefined
}

export function keepGrant(world: World, record: RecordBase, terms: GrantTerms): Kept<Grant> {
  const payee = findPayee(world, record.testUser, terms.payee_ref)
  if (payee === undefined) throw new Error('a grant was kept unvalidated')
  let kept: Kept<Grant> | undefined
  const standing = createStateful<GrantState, GrantAction>('open', moves, () => kept)
  kept = world.grants.add({ ...record, content: { payee, terms, standing, spent: new BigNumber(0), uses: 0 } })
  return kept
}

/** The current state; `lapsed` after the grant's end. */
export function grantState(world: World, { standing, terms }: Grant): ReturnType<typeof standing.state> | 'lapsed' {
  const state = standing.state()
  const over = Date.parse(terms.ends_at) <= world.clock.nowMs()
  return over && (state === 'open' || state === 'paused') ? 'lapsed' : state
}

/** The reason why the grant does not cover a payment; undefined if it does. */
export function validateUse(world: World, grant: Grant, { value }: Money): string | undefined {
  const state = grantState(world, grant)
  if (state !== 'open') return `grant_${state}`
  if (new BigNumber(value).gt(grant.terms.ceilings.each)) return 'over_ceiling'
  if (grant.spent.plus(value).gt(grant.terms.ceilings.all)) return 'over_ceiling'
  return grant.uses >= grant.terms.uses ? 'no_uses_left' : undefined
}

/** @param times 1 for a use, -1 if the payment failed later */
export function countUse(grant: Grant, { value }: Money, times: 1 | -1): void {
  grant.spent = grant.spent.plus(new BigNumber(value).times(times))
  grant.uses += times
}

const timestamp = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** The text that the person reads before approving. */
export function wordsOfGrant(
  payee: Payee,
  { ceilings, uses, ends_at }: GrantTerms,
): readonly (readonly [string, string])[] {
  const money = (value: string) => `${new BigNumber(value).toFormat()} ${payee.scheme.currency_code}`
  return [
    ['To', payee.fullName],
    ['Each payment up to', money(ceilings.each)],
    ['A day', money(ceilings.day)],
    ['A week', money(ceilings.week)],
    ['A month', money(ceilings.month)],
    ['Altogether', money(ceilings.all)],
    ['Payments at most', String(uses)],
    ['Until', `${timestamp.format(new Date(ends_at))} UTC`],
  ]
}

export function grantNeedsApproval({ approvals }: TestUser): boolean {
  return approvals.grants
}
