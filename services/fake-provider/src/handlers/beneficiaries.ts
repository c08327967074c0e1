/** `POST` and `GET /provider/v1/beneficiaries`: people and companies that a test user pays. */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { newBeneficiary } from '@financial-agents/provider-api/shapes/instructions'
import type { FastifyInstance } from 'fastify'
import { type ReadMutation, receiveMutation } from '../mutation.ts'
import type { Payee } from '../payees.ts'
import { acceptsInputs, findScheme } from '../payout-schemes.ts'
import { addSearch } from '../search.ts'
import { offers } from '../test-users.ts'
import type { World } from '../world.ts'

export function addBeneficiaries(app: FastifyInstance, world: World): void {
  app.post(pathPattern('createBeneficiary'), (request, reply) =>
    receiveMutation<Payee>(
      world,
      {
        kind: 'beneficiary_create',
        read: readNewBeneficiary,
        validate: ({ connection, content }) =>
          offers(connection.testUser, content.scheme.scheme_id) ? undefined : 'unknown_scheme',
        keep: (record, { content }) => world.payees.add({ ...record, content }),
      },
      request,
      reply,
    ),
  )

  addSearch(app, world, pathPattern('findBeneficiaries'), ({ testUser }, { client_reference, provider_ref }) =>
    world.payees
      .find(testUser.id, { clientReference: client_reference, providerRef: provider_ref })
      .map((kept) => kept.show()),
  )
}

function readNewBeneficiary(body: unknown): ReadMutation<Payee> {
  const parsed = newBeneficiary.safeParse(body)
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
