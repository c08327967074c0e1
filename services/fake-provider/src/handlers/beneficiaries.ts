/** `POST` and `GET /provider/v1/beneficiaries`: people and companies that a persona pays. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type ReadMutation, receiveMutation } from '../mutation.ts'
import type { Payee } from '../payees.ts'
import { acceptsInputs, findScheme } from '../payout-schemes.ts'
import { offers } from '../personas.ts'
import { addSearch } from '../search.ts'
import type { World } from '../world.ts'

const NewBeneficiary = z.object({
  client_reference: z.string().min(1).max(200),
  holder: z.object({ full_name: z.string().min(1).max(200), alias: z.string().nullable() }),
  destination: z.object({
    scheme_id: z.string(),
    country_code: z.string().length(2),
    currency_code: z.string().length(3),
    inputs: z.record(z.string(), z.unknown()),
  }),
  third_party: z.boolean(),
  purpose: z.string().nullable(),
})

export function addBeneficiaries(app: FastifyInstance, world: World): void {
  app.post('/provider/v1/beneficiaries', (request, reply) =>
    receiveMutation<Payee>(
      world,
      {
        kind: 'beneficiary_create',
        read: readNewBeneficiary,
        judge: ({ connection, content }) =>
          offers(connection.persona, content.scheme.scheme_id) ? undefined : 'unknown_scheme',
        keep: (record, { content }) => world.payees.add({ ...record, content }),
      },
      request,
      reply,
    ),
  )

  addSearch(app, world, '/provider/v1/beneficiaries', ({ persona }, { client_reference, provider_ref }) =>
    world.payees
      .find(persona.id, { clientReference: client_reference, providerRef: provider_ref })
      .map((kept) => kept.show()),
  )
}

function readNewBeneficiary(body: unknown): ReadMutation<Payee> {
  const parsed = NewBeneficiary.safeParse(body)
  if (!parsed.success) return { type: 'malformed' }
  const { client_reference: clientReference, holder, destination } = parsed.data
  const facts = { clientReference, name: holder.full_name }
  const scheme = findScheme(destination.scheme_id)
  if (scheme === undefined) return { type: 'rejected', ...facts, reason: 'unknown_scheme' }
  const sameMarket =
    scheme.country_code === destination.country_code && scheme.currency_code === destination.currency_code
  if (!sameMarket || !acceptsInputs(scheme, destination.inputs)) {
    return { type: 'rejected', ...facts, reason: 'invalid_destination' }
  }
  return { type: 'valid', ...facts, content: { fullName: holder.full_name, scheme } }
}
