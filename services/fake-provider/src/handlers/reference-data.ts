/** `GET /provider/v1/payout-schemas`, with the schemas of the test user, and `GET /provider/v1/countries`. */

import { pathPattern } from '@financial-agents/provider-api/paths'
import type { FastifyInstance } from 'fastify'
import { countries } from '../countries.ts'
import { payoutSchemes } from '../payout-schemes.ts'
import { answerQuietly } from '../quiet-call.ts'
import { offers, type TestUser } from '../test-users.ts'
import type { World } from '../world.ts'

export function addReferenceData(app: FastifyInstance, world: World): void {
  const lists: { readonly [Path in string]: (testUser: TestUser) => object } = {
    [pathPattern('readPayoutSchemes')]: (testUser) => ({
      schemes: payoutSchemes.filter(({ scheme_id }) => offers(testUser, scheme_id)),
    }),
    [pathPattern('readCountries')]: () => ({ countries }),
  }
  for (const [path, list] of Object.entries(lists)) {
    app.get(path, (request, reply) =>
      answerQuietly(world, { kind: 'reference_read', clientReference: null, request, reply }, ({ testUser }) =>
        list(testUser),
      ),
    )
  }
}
