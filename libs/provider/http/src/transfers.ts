/** Withdrawals and transfers under a mandate in the words of the Provider API. The rule of a transfer is not sent. */

import { z } from 'zod'
import type { KindRow } from './kinds.ts'
import { PlainDecimal } from './plain-decimal.ts'

const Amount = { amount: PlainDecimal, currency: z.string() }

const WithdrawalPayload = z.object({ ...Amount, purpose_code: z.string().nullish(), memo: z.string().nullish() })

const MandateTransferPayload = z.object({ ...Amount, reference: z.string().nullish() })

const transactionLookup = {
  search: 'findTransfers',
  read: 'transaction_lookup',
  proof: 'record',
} as const satisfies Partial<KindRow>

export const transfer: KindRow = {
  ...transactionLookup,
  call: 'createTransfer',
  findBody(reference, payload, target) {
    const parsed = WithdrawalPayload.safeParse(payload)
    if (!parsed.success) return undefined
    const { amount, currency, purpose_code, memo } = parsed.data
    return {
      client_reference: reference,
      payee_ref: target,
      amount: { value: amount, ccy: currency },
      purpose: purpose_code ?? null,
      note: memo ?? null,
    }
  },
  approval: 'transfer',
}

export const mandateTransfer: KindRow = {
  ...transactionLookup,
  call: 'payUnderGrant',
  findBody(clientReference, payload) {
    const parsed = MandateTransferPayload.safeParse(payload)
    if (!parsed.success) return undefined
    const { amount, currency, reference } = parsed.data
    return { client_reference: clientReference, amount: { value: amount, ccy: currency }, note: reference ?? null }
  },
}
