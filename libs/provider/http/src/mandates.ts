/**
 * Mandates in the words of the Provider API: transfer grants. The provider does not learn which clients and rules may use a
 * mandate. The currency is the payee's.
 */

import type { ProviderCallName } from '@financial-agents/provider-api/calls'
import { z } from 'zod'
import type { KindRow } from './kinds.ts'
import { PlainDecimal } from './plain-decimal.ts'

const MandatePayload = z.object({
  per_payment_max: PlainDecimal,
  daily_max: PlainDecimal,
  weekly_max: PlainDecimal,
  monthly_max: PlainDecimal,
  total_cap: PlainDecimal,
  payment_count: z.int().min(1),
  expires_at: z.iso.datetime({ offset: true }),
})

export const mandateCreate: KindRow = {
  call: 'createGrant',
  findBody(reference, payload, target) {
    const parsed = MandatePayload.safeParse(payload)
    if (!parsed.success) return undefined
    const { per_payment_max, daily_max, weekly_max, monthly_max, total_cap, payment_count, expires_at } = parsed.data
    return {
      client_reference: reference,
      payee_ref: target,
      ceilings: { each: per_payment_max, day: daily_max, week: weekly_max, month: monthly_max, all: total_cap },
      uses: payment_count,
      ends_at: expires_at,
    }
  },
  search: 'findGrants',
  read: 'mandate_by_reference',
  proof: 'record',
  approval: 'grant',
}

const grantAction = (call: ProviderCallName) =>
  ({
    call,
    findBody: (reference) => ({ client_reference: reference }),
    search: 'findGrants',
    read: 'grant_listing',
    proof: 'action',
  }) as const satisfies KindRow

export const mandateSuspend: KindRow = grantAction('pauseGrant')

export const mandateRevoke: KindRow = { ...grantAction('withdrawGrant'), absorbing: 'withdrawn' }
