/**
 * Beneficiaries at Increase: external accounts. An external account has no member for the rail or the payee's name, and transfers need
 * both. Its description holds them (`ach: Wendell Ortiz`), as people see them in the dashboard too.
 */

import { z } from 'zod'
import type { KindRow } from './kind-row.ts'
import { unsayable } from './outcomes.ts'
import { schemaIds } from './payout-schemas.ts'

const Payload = z.object({
  name: z.string().min(1).max(140),
  currency: z.literal('USD'),
  payout_schema_id: z.enum(['ach_us_usd', 'rtp_us_usd']),
  details: z.object({
    routing_number: z.string().regex(/^\d{9}$/),
    account_number: z.string().regex(/^\d{4,17}$/),
    account_type: z.enum(['checking', 'savings']).default('checking'),
  }),
})

const ExternalAccount = z.object({
  type: z.literal('external_account'),
  id: z.string().min(1).max(200),
  description: z.string(),
  idempotency_key: z.string().nullable(),
  status: z.string(),
})

export type Rail = (typeof schemaIds)[keyof typeof schemaIds]

const described = /^(?<rail>ach|rtp): (?<name>.+)$/su

/** The payee of an external account; undefined if this adapter did not write its description. */
export function findPayee(
  body: unknown,
): { readonly id: string; readonly status: string; readonly rail: Rail; readonly name: string } | undefined {
  const { data } = ExternalAccount.safeParse(body)
  const parts = data && described.exec(data.description)?.groups
  return data && parts
    ? { id: data.id, status: data.status, rail: parts['rail'] as Rail, name: parts['name'] ?? '' }
    : undefined
}

export const beneficiaryCreate: KindRow = {
  async say({ submission: { payload, reference } }) {
    const { data } = Payload.safeParse(payload)
    if (data === undefined) return unsayable
    const { account_number, routing_number, account_type: funding } = data.details
    const description = `${schemaIds[data.payout_schema_id]}: ${data.name}`
    const body = { account_number, routing_number, funding, description }
    return { type: 'said', call: (client) => client.externalAccounts.create(body, { idempotencyKey: reference }) }
  },
  findStand(body) {
    const { data } = ExternalAccount.safeParse(body)
    return data && { id: data.id, key: data.idempotency_key, account: null, state: 'succeeded', status: 'created' }
  },
  read: 'external_account_by_idempotency_key',
  proof: 'key',
  // External accounts belong to the group: their list has no filter by account.
  lists: [(client, { idempotency_key, limit }) => client.externalAccounts.list({ idempotency_key, limit })],
}
