/** `GET /provider/payout-schemas`, of which not every persona has all, and `GET /provider/countries`. */

import type { FastifyInstance } from 'fastify'
import { countries } from '../countries.ts'
import { payoutSchemes } from '../payout-schemes.ts'
import { offers, type Persona } from '../personas.ts'
import { refusal } from '../refusal.ts'
import type { World } from '../world.ts'

export function addReferenceData(app: FastifyInstance, world: World): void {
  const lists: { readonly [Path in string]: (persona: Persona) => object } = {
    '/provider/payout-schemas': (persona) => ({
      schemes: payoutSchemes.filter(({ scheme_id }) => offers(persona, scheme_id)),
    }),
    '/provider/countries': () => ({ countries }),
  }
  for (const [path, list] of Object.entries(lists)) {
    app.get(path, async (request, reply) => {
      await world.waitLatency()
      const connection = world.connections.find(request.headers.authorization)
      return connection === undefined ? refusal(reply, 401, 'unknown_credentials') : list(connection.persona)
    })
  }
}
