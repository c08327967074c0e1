/** `GET /provider/v1/payout-schemas`, with the schemas of the persona, and `GET /provider/v1/countries`. */

import { pathPattern } from '@financial-agents/provider-api/paths'
import type { FastifyInstance } from 'fastify'
import { countries } from '../countries.ts'
import { payoutSchemes } from '../payout-schemes.ts'
import { offers, type Persona } from '../personas.ts'
import { answerQuietly } from '../quiet-call.ts'
import type { World } from '../world.ts'

export function addReferenceData(app: FastifyInstance, world: World): void {
  const lists: { readonly [Path in string]: (persona: Persona) => object } = {
    [pathPattern('readPayoutSchemes')]: (persona) => ({
      schemes: payoutSchemes.filter(({ scheme_id }) => offers(persona, scheme_id)),
    }),
    [pathPattern('readCountries')]: () => ({ countries }),
  }
  for (const [path, list] of Object.entries(lists)) {
    app.get(path, (request, reply) =>
      answerQuietly(world, { kind: 'reference_read', clientReference: null, request, reply }, ({ persona }) =>
        list(persona),
      ),
    )
  }
}
