/** Accounts, purse, limits and identity: a provider's answers in the API's shapes. */

import type {
  ProviderAccount,
  SpendingAccount,
  WithdrawalLimits,
  WithdrawalLimitsQuery,
} from '@financial-agents/provider/account-reads'
import type { IdentityStatus } from '@financial-agents/provider/identity'
import type { ReadResult } from '@financial-agents/provider/port'
import { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { WireCurrency, WireDecimal, WireMoment, WireMoney, WireNetwork } from './records.ts'

/** Balance of an account, which may be overdrawn. */
const Balance = z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)

const Accounts = z.object({
  accounts: z.array(
    z.object({
      account_ref: z.string().min(1).max(200),
      title: z.string().min(1).max(200),
      sort: z.enum(['current', 'savings', 'virtual']),
      ccy: WireCurrency,
      status: z.enum(['open', 'restricted', 'closed']),
      available: Balance,
      booked: Balance,
      number_tail: z
        .string()
        .regex(/^\d{4}$/)
        .nullable(),
      opened_at: WireMoment.nullable(),
    }),
  ),
})

const Purse = z.object({ purse: z.object({ held: WireMoney, promotional: WireMoney, owed: WireMoney }) })

const Length = z.int().min(0).max(8192)

const Limits = z.object({
  limits: z
    .object({
      scheme_id: z.string(),
      ccy: WireCurrency,
      lowest: WireDecimal,
      highest: WireDecimal,
      fee: z.object({ fixed: WireDecimal, basis_points: WireDecimal }),
      network: WireNetwork,
      note: z.object({ allowed: z.boolean(), min: Length, max: Length }),
      purposes: z.array(z.string().min(1).max(128)).max(256),
    })
    .nullable(),
})

const Identity = z.object({
  identity: z.object({
    status: z.enum(['none', 'open', 'reviewing', 'passed', 'refused', 'lapsed']),
    reason: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/)
      .nullable(),
    changed_at: WireMoment,
  }),
})

export function accountsOf(result: ExchangeResult): ReadResult<readonly ProviderAccount[]> {
  return mapped(listOf(result, Accounts), ({ accounts }) =>
    accounts.map(({ account_ref, title, sort, ccy, status, available, booked, number_tail, opened_at }) => ({
      reference: account_ref,
      name: title,
      type: sort,
      currency: ccy,
      status: status === 'open' ? 'active' : status,
      balance: { available: { amount: available, currency: ccy }, current: { amount: booked, currency: ccy } },
      masked_number: number_tail,
      opened_at,
    })),
  )
}

export function spendingAccountOf(result: ExchangeResult): ReadResult<SpendingAccount> {
  return mapped(listOf(result, Purse), ({ purse: { held, promotional, owed } }) => ({
    held,
    promotional_credit: promotional,
    owed,
  }))
}

export function withdrawalLimitsOf(
  result: ExchangeResult,
  { schema, currency }: WithdrawalLimitsQuery,
): ReadResult<WithdrawalLimits | null> {
  const answer = listOf(result, Limits)
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
  return mapped(listOf(result, Identity), ({ identity: { status, reason, changed_at } }) => ({
    status: kycStatusOf[status],
    reason_code: reason,
    updated_at: changed_at,
  }))
}
