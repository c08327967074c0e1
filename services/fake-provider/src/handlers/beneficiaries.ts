/** `POST` and `GET /provider/beneficiaries`: people and companies that a persona pays. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type ReadMutation, receiveMutation } from '../mutation.ts'
import { acceptsInputs, findScheme } from '../payout-schemes.ts'
import { findPersona } from '../personas.ts'
import { refusal } from '../refusal.ts'
import type { World } from '../world.ts'

const kind = 'beneficiary_create'

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

const Search = z.object({ client_reference: z.string().min(1).max(200) })

export function addBeneficiaries(app: FastifyInstance, world: World): void {
  const mutationKind = { kind, read: readNewBeneficiary }
  app.post('/provider/beneficiaries', (request, reply) => receiveMutation(world, mutationKind, request, reply))

  app.get('/provider/beneficiaries', async (request, reply) => {
    await world.waitLatency()
    const persona = findPersona(request.headers.authorization)
    if (persona === undefined) return refusal(reply, 401, 'unknown_credentials')
    const search = Search.safeParse(request.query)
    if (!search.success) return refusal(reply, 400, 'invalid_request')
    return { results: world.records.find(persona.id, kind, search.data.client_reference), more: false }
  })
}

function readNewBeneficiary(body: unknown): ReadMutation {
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
  return { type: 'valid', ...facts }
}
