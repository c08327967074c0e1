/** Beneficiaries in the words of the Provider API. */

import { z } from 'zod'
import type { KindRow } from './kinds.ts'

const BeneficiaryPayload = z.object({
  name: z.string(),
  nickname: z.string().nullish(),
  country: z.string(),
  currency: z.string(),
  payout_schema_id: z.string(),
  details: z.record(z.string(), z.unknown()),
  is_external: z.boolean().nullish(),
  purpose_code: z.string().nullish(),
})

export const beneficiaryCreate: KindRow = {
  call: 'createBeneficiary',
  findBody(reference, payload) {
    const parsed = BeneficiaryPayload.safeParse(payload)
    if (!parsed.success) return undefined
    const { name, nickname, country, currency, payout_schema_id, details, is_external, purpose_code } = parsed.data
    return {
      client_reference: reference,
      holder: { full_name: name, alias: nickname ?? null },
      destination: { scheme_id: payout_schema_id, country_code: country, currency_code: currency, inputs: details },
      third_party: is_external ?? false,
      purpose: purpose_code ?? null,
    }
  },
  search: 'findBeneficiaries',
  read: 'beneficiary_by_reference',
  proof: 'record',
}
