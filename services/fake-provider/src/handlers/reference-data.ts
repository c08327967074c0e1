/** `GET /provider/payout-schemas` and `GET /provider/countries`: the same for every persona. */

import type { FastifyInstance } from 'fastify'
import { countries } from '../countries.ts'
import { payoutSchemes } from '../payout-schemes.ts'
import { findPersona } from '../personas.ts'
import { refusal } from '../refusal.ts'
import type { World } from '../world.ts'

export function addReferenceData(app: FastifyInstance, world: World): void {
  const lists = { '/provider/payout-schemas': { schemes: payoutSchemes }, '/provider/countries': { countries } }
  for (const [path, list] of Object.entries(lists)) {
    app.get(path, async (request, reply) => {
      await world.waitLatency()
      if (findPersona(request.headers.authorization) === undefined) return refusal(reply, 401, 'unknown_credentials')
      return list
    })
  }
}
