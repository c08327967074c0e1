/** `POST` and `GET /provider/v1/beneficiaries`: people and companies that a test user pays. */

import { newBeneficiary } from '@financial-agents/provider-http/api/instructions'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import { type ReadMutation, receiveMutation } from '../mutation.ts'
import { acceptsDetails, findPayoutSchema } from '../payout-schemas.ts'
import type { Beneficiary } from '../resources.ts'
import { addSearch } from '../search.ts'
import { offers } from '../test-users.ts'
import type { World } from '../world.ts'

export function addBeneficiaries(app: FastifyInstance, world: World): void {
  app.post(pathPattern('createBeneficiary'), (request, reply) =>
    receiveMutation<Beneficiary>(
      world,
      {
        kind: 'beneficiary_create',
        read: readNewBeneficiary,
        validate: ({ connection, content }) =>
          offers(connection.testUser, content.payoutSchema.id) ? undefined : 'unknown_payout_schema',
        keep: (record, { content }) => world.beneficiaries.add({ ...record, content }),
      },
      request,
      reply,
    ),
  )

  addSearch(app, world, pathPattern('findBeneficiaries'), ({ testUser }, { client_reference, reference }) =>
    world.beneficiaries
      .find(testUser.id, { clientReference: client_reference, providerRef: reference })
      .map((kept) => kept.show()),
  )
}

function readNewBeneficiary(body: unknown): ReadMutation<Beneficiary> {
  const parsed = newBeneficiary.safeParse(body)
  if (!parsed.success) return { type: 'malformed' }
  const { client_reference: clientReference, name, country, currency, payout_schema_id, details } = parsed.data
  const facts = { clientReference, name }
  const payoutSchema = findPayoutSchema(payout_schema_id)
  if (payoutSchema === undefined) return { type: 'rejected', ...facts, reason: 'unknown_payout_schema' }
  const isSame = payoutSchema.country === country && payoutSchema.currency === currency
  if (!isSame || !acceptsDetails(payoutSchema, details)) {
    return { type: 'rejected', ...facts, reason: 'invalid_details' }
  }
  return { type: 'valid', ...facts, content: { name, payoutSchema } }
}
