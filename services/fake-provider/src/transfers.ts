/** Transfers: the contents of an order, the reasons for a refusal, and the need for an approval. */

import type { transferTerms } from '@financial-agents/provider-api/shapes/instructions'
import { BigNumber } from 'bignumber.js'
import type { z } from 'zod'
import type { Grant } from './grants.ts'
import { findExcess, limitsOf } from './limits.ts'
import { convert, isTooFine, type Money } from './money.ts'
import { findPayee, type Payee } from './payees.ts'
import type { Kept } from './records.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

export type TransferTerms = z.infer<typeof transferTerms>

export type Transfer = {
  readonly testUser: TestUser
  readonly payee: Kept<Payee>
  readonly amount: Money
  readonly note: string | null
  /** The grant of the transfer; undefined for a direct transfer. */
  readonly grant: Kept<Grant> | undefined
}

/** The reason why the provider refuses the transfer; undefined if it accepts. */
export function validateTransfer(world: World, testUser: TestUser, terms: TransferTerms): string | undefined {
  const payee = findPayee(world, testUser.id, terms.payee_ref)
  if (payee === undefined) return 'unknown_payee'
  const { purposes } = limitsOf(payee.content.scheme, testUser)
  if (terms.purpose !== null && purposes.length > 0 && !purposes.includes(terms.purpose)) return 'unknown_purpose'
  return validatePayment(world, testUser, payee.content, terms.amount, terms.note)
}

/** Does the same for every transfer to a known payee. */
export function validatePayment(
  world: World,
  testUser: TestUser,
  { scheme }: Payee,
  amount: Money,
  note: string | null,
): string | undefined {
  if (amount.ccy !== scheme.currency_code) return 'wrong_currency'
  if (isTooFine(amount.value)) return 'amount_too_fine'
  const excess = findExcess(limitsOf(scheme, testUser), amount.value, note)
  if (excess !== undefined) return excess
  return world.purses.covers(testUser, amount) ? undefined : 'insufficient_funds'
}

export function transferNeedsApproval({ approvals, currency }: TestUser, amount: Money): boolean {
  if (approvals.transfersAbove === null) return false
  return convert(amount, currency)?.gt(approvals.transfersAbove) ?? true
}

/** The text that the person reads before approving. */
export function wordsOfTransfer(payee: Payee, { amount, note }: TransferTerms): readonly (readonly [string, string])[] {
  const rows: [string, string][] = [
    ['To', payee.fullName],
    ['Amount', `${new BigNumber(amount.value).toFormat()} ${amount.ccy}`],
  ]
  if (note) rows.push(['Reference', note])
  return rows
}
