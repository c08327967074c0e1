/** `GET /provider/v1/assets` and `GET /provider/v1/prices`, without credentials. */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { pricesQuery } from '@financial-agents/provider-api/shapes/market'
import type { FastifyInstance } from 'fastify'
import { assets, pricesIn } from '../market.ts'
import { answerPublicly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

export function addMarket(app: FastifyInstance, world: World): void {
  app.get(pathPattern('readAssets'), (request, reply) =>
    answerPublicly(world, { kind: 'assets_read', request, reply }, () => ({ assets })),
  )
  app.get(pathPattern('readPrices'), (request, reply) =>
    answerPublicly(world, { kind: 'prices_read', request, reply }, () => {
      const query = pricesQuery.safeParse(request.query)
      if (!query.success) throw new Refused(400, 'invalid_request')
      return { prices: pricesIn(query.data.ccy, world.clock.nowMs()) }
    }),
  )
}
