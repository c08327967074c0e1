/** Accounts, purse, limits and identity: a provider's answers in the API's shapes. */

import { accounts, identity, limits, purse } from '@financial-agents/provider-api/shapes/accounts'
import type {
  ProviderAccount,
  SpendingAccount,
  WithdrawalLimits,
  WithdrawalLimitsQuery,
} from '@financial-agents/provider-port/account-reads'
import type { IdentityStatus } from '@financial-agents/provider-port/identity'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { findTimestamp, moneyOf, timestampOf } from './records.ts'

export function accountsOf(result: ExchangeResult): ReadResult<readonly ProviderAccount[]> {
  return mapped(listOf(result, accounts), (answer) =>
    answer.accounts.map(({ account_ref, title, sort, ccy, status, available, booked, number_tail, opened_at }) => ({
      reference: account_ref,
      name: title,
      type: sort,
      currency: ccy,
      status: status === 'open' ? 'active' : status,
      balance: { available: { amount: available, currency: ccy }, current: { amount: booked, currency: ccy } },
      masked_number: number_tail,
      opened_at: findTimestamp(opened_at),
    })),
  )
}

export function spendingAccountOf(result: ExchangeResult): ReadResult<SpendingAccount> {
  return mapped(listOf(result, purse), ({ purse: { held, promotional, owed } }) => ({
    held: moneyOf(held),
    promotional_credit: moneyOf(promotional),
    owed: moneyOf(owed),
  }))
}

export function withdrawalLimitsOf(
  result: ExchangeResult,
  { schema, currency }: WithdrawalLimitsQuery,
): ReadResult<WithdrawalLimits | null> {
  const answer = listOf(result, limits)
  if (answer.type === 'ok' && answer.data.limits !== null) {
    const { scheme_id, ccy } = answer.data.limits
    if (scheme_id !== schema) return broken('limits of another payout schema')
    if (ccy !== (currency ?? ccy)) return broken('limits in another currency')
  }
  return mapped(answer, ({ limits }) =>
    limits === null
      ? null
      : {
          currency: limits.ccy,
          minimum_amount: limits.lowest,
          maximum_amount: limits.highest,
          fee_fixed: limits.fee.fixed,
          fee_basis_points: limits.fee.basis_points,
          rail: limits.network,
          memo: {
            supported: limits.note.allowed,
            minimum_characters: limits.note.min,
            maximum_characters: limits.note.max,
          },
          purpose_codes: limits.purposes,
        },
  )
}

const kycStatusOf = {
  none: 'not_started',
  open: 'pending',
  reviewing: 'in_review',
  passed: 'verified',
  refused: 'rejected',
  lapsed: 'expired',
} as const

export function identityStatusOf(result: ExchangeResult): ReadResult<IdentityStatus> {
  return mapped(listOf(result, identity), ({ identity: { status, reason, changed_at } }) => ({
    status: kycStatusOf[status],
    reason_code: reason,
    updated_at: timestampOf(changed_at),
  }))
}
