/** Transfers: the contents of an order, the reasons for a refusal, and the need for an approval. */

import type { transferTerms } from '@financial-agents/provider-http/api/instructions'
import { BigNumber } from 'bignumber.js'
import type { z } from 'zod'
import { findBeneficiary } from './beneficiaries.ts'
import { findExcess, limitsOf } from './limits.ts'
import { convert, isTooFine, type Money } from './money.ts'
import { type Beneficiary } from './resources.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

export type TransferTerms = z.infer<typeof transferTerms>

/** The reason why the provider refuses the transfer; undefined if it accepts. */
export function validateTransfer(world: World, testUser: TestUser, terms: TransferTerms): string | undefined {
  const beneficiary = findBeneficiary(world, testUser.id, terms.beneficiary_reference)
  if (beneficiary === undefined) return 'unknown_beneficiary'
  const { purpose_codes } = limitsOf(beneficiary.content.payoutSchema, testUser)
  if (terms.purpose_code && purpose_codes.length > 0 && !purpose_codes.includes(terms.purpose_code))
    return 'unknown_purpose_code'
  return validatePayment(world, testUser, beneficiary.content, terms, terms.memo ?? null)
}

/** Does the same for every transfer to a known beneficiary. */
export function validatePayment(
  world: World,
  testUser: TestUser,
  { payoutSchema }: Beneficiary,
  { amount, currency }: Money,
  memo: string | null,
): string | undefined {
  if (currency !== payoutSchema.currency) return 'wrong_currency'
  if (isTooFine(amount)) return 'amount_too_fine'
  const excess = findExcess(limitsOf(payoutSchema, testUser), amount, memo)
  if (excess !== undefined) return excess
  return world.spendingAccounts.covers(testUser, { amount, currency }) ? undefined : 'insufficient_funds'
}

export function transferNeedsApproval({ approvals, currency }: TestUser, amount: Money): boolean {
  if (approvals.transfersAbove === null) return false
  return convert(amount, currency)?.gt(approvals.transfersAbove) ?? true
}

/** The text that the person reads before approving. */
export function wordsOfTransfer(
  beneficiary: Beneficiary,
  { amount, currency, memo }: TransferTerms,
): readonly (readonly [string, string])[] {
  const rows: [string, string][] = [
    ['To', beneficiary.name],
    ['Amount', `${new BigNumber(amount).toFormat()} ${currency}`],
  ]
  if (memo) rows.push(['Reference', memo])
  return rows
}
