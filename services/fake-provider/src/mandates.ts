/**
 * Mandates: permissions to pay one beneficiary within limits. The provider checks each payment, the total, the number of
 * payments and the end. It only shows the limits for days, weeks and months, which the application checks.
 */

import { BigNumber } from 'bignumber.js'
import { findBeneficiary } from './beneficiaries.ts'
import { isTooFine, type Money } from './money.ts'
import type { RecordBase, RecordOf } from './records.ts'
import {
  type Beneficiary,
  type Mandate,
  type MandateAction,
  type MandateState,
  type MandateTerms,
} from './resources.ts'
import { createStateful, type Moves } from './stateful.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

const moves: Moves<MandateState, MandateAction> = {
  suspend: { active: 'suspended', suspended: 'suspended' },
  revoke: { active: 'revoked', suspended: 'revoked', revoked: 'revoked' },
}

/** The reason why the provider refuses the mandate; undefined if it accepts. */
export function validateMandate(world: World, testUser: TestUser, terms: MandateTerms): string | undefined {
  if (findBeneficiary(world, testUser.id, terms.beneficiary_reference) === undefined) return 'unknown_beneficiary'
  const limits = [terms.per_payment_max, terms.daily_max, terms.weekly_max, terms.monthly_max, terms.total_cap]
  if (limits.some(isTooFine)) return 'amount_too_fine'
  return Date.parse(terms.expires_at) <= world.clock.nowMs() ? 'expires_in_the_past' : undefined
}

export function keepMandate(world: World, record: RecordBase, terms: MandateTerms): RecordOf<Mandate> {
  const beneficiary = findBeneficiary(world, record.testUser, terms.beneficiary_reference)
  if (beneficiary === undefined) throw new Error('a mandate was kept unvalidated')
  let kept: RecordOf<Mandate> | undefined
  const standing = createStateful<MandateState, MandateAction>('active', moves, () => kept)
  kept = world.mandates.add({
    ...record,
    content: { beneficiary, terms, standing, spent: new BigNumber(0), payments: 0 },
  })
  return kept
}

/** The current state; `expired` after the mandate's end. */
export function mandateState(
  world: World,
  { standing, terms }: Mandate,
): ReturnType<typeof standing.state> | 'expired' {
  const state = standing.state()
  const over = Date.parse(terms.expires_at) <= world.clock.nowMs()
  return over && (state === 'active' || state === 'suspended') ? 'expired' : state
}

/** The reason why the mandate does not cover a payment; undefined if it does. */
export function validateUse(world: World, mandate: Mandate, { amount }: Money): string | undefined {
  const state = mandateState(world, mandate)
  if (state !== 'active') return `mandate_${state}`
  if (new BigNumber(amount).gt(mandate.terms.per_payment_max)) return 'mandate_limit_exceeded'
  if (mandate.spent.plus(amount).gt(mandate.terms.total_cap)) return 'mandate_limit_exceeded'
  return mandate.payments >= mandate.terms.payment_count ? 'mandate_exhausted' : undefined
}

const timestamp = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** The text that the person reads before approving. */
export function wordsOfMandate(beneficiary: Beneficiary, terms: MandateTerms): readonly (readonly [string, string])[] {
  const money = (amount: string) => `${new BigNumber(amount).toFormat()} ${beneficiary.payoutSchema.currency}`
  return [
    ['To', beneficiary.name],
    ['Each payment up to', money(terms.per_payment_max)],
    ['A day', money(terms.daily_max)],
    ['A week', money(terms.weekly_max)],
    ['A month', money(terms.monthly_max)],
    ['Altogether', money(terms.total_cap)],
    ['Payments at most', String(terms.payment_count)],
    ['Until', `${timestamp.format(new Date(terms.expires_at))} UTC`],
  ]
}

export function mandateNeedsApproval({ approvals }: TestUser): boolean {
  return approvals.mandates
}
