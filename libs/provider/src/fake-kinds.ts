/**
 * How each operation kind is said to the fake provider, one row a kind. A kind without a row is refused before
 * anything is sent. A new kind is a new row: where its mutation goes, how its payload is put, and which read proves it.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { z } from 'zod'

export type KindRow = {
  /** Where the mutation is posted. */
  readonly path: string
  /** The provider's words for our payload; undefined where the payload is not one of this kind. */
  readonly findBody: (reference: string, payload: Readonly<Record<string, unknown>>) => object | undefined
  /** The name of the read that proves it, as it stands in the evidence. */
  readonly read: string
  /** Where that read is made. */
  readonly readPath: (reference: string) => string
}

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

const beneficiaryCreate: KindRow = {
  path: '/provider/beneficiaries',
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
  read: 'beneficiary_by_reference',
  readPath: (reference) => `/provider/beneficiaries?client_reference=${encodeURIComponent(reference)}`,
}

export const kindRows: { readonly [K in OperationKind]?: KindRow } = {
  beneficiary_create: beneficiaryCreate,
}
