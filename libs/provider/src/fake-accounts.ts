/** What a person has and may withdraw, from the fake provider's words into the API's shapes. */

import { z } from 'zod'
import type { Money, ProviderAccount, SpendingAccount, WithdrawalLimits } from './account-reads.ts'
import type { ExchangeResult } from './exchange.ts'
import { listOf } from './fake-reference-data.ts'
import type { IdentityStatus } from './identity.ts'
import type { ReadResult } from './port.ts'

const Decimal = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)
const Currency = z.string().regex(/^[A-Z]{3}$/)
const FakeMoney = z.object({ value: Decimal, ccy: Currency })

const Accounts = z.object({
  accounts: z.array(
    z.object({
      account_ref: z.string().min(1).max(200),
      title: z.string().min(1).max(200),
      sort: z.enum(['current', 'savings', 'virtual']),
      ccy: Currency,
      status: z.enum(['open', 'restricted', 'closed']),
      available: Decimal,
      booked: Decimal,
      number_tail: z
        .string()
        .regex(/^\d{4}$/)
        .nullable(),
      opened_at: z.iso.datetime().nullable(),
    }),
  ),
})

const Purse = z.object({ purse: z.object({ held: FakeMoney, promotional: FakeMoney, owed: FakeMoney }) })

const Length = z.int().min(0).max(8192)

const Limits = z.object({
  limits: z
    .object({
      scheme_id: z.string(),
      ccy: Currency,
      lowest: Decimal,
      highest: Decimal,
      fee: z.object({ fixed: Decimal, basis_points: Decimal }),
      network: z
        .string()
        .max(128)
        .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/),
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
    changed_at: z.iso.datetime(),
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
  const money = ({ value, ccy }: z.infer<typeof FakeMoney>): Money => ({ amount: value, currency: ccy })
  return mapped(listOf(result, Purse), ({ purse: { held, promotional, owed } }) => ({
    held: money(held),
    promotional_credit: money(promotional),
    owed: money(owed),
  }))
}

export function withdrawalLimitsOf(result: ExchangeResult, schema: string): ReadResult<WithdrawalLimits | null> {
  const answer = listOf(result, Limits)
  if (answer.type === 'ok' && answer.data.limits !== null && answer.data.limits.scheme_id !== schema) {
    return { type: 'contract_broken', reason: 'limits of another payout schema' }
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

function mapped<From, To>(answer: ReadResult<From>, map: (data: From) => To): ReadResult<To> {
  return answer.type === 'ok' ? { type: 'ok', data: map(answer.data) } : answer
}
