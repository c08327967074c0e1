/** `GET /provider/v1/assets` and `GET /provider/v1/prices`, without credentials. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { assets, pricesIn } from '../market.ts'
import { answerPublicly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

const PricesQuery = z.strictObject({ ccy: z.string().regex(/^[A-Z]{3}$/) })

export function addMarket(app: FastifyInstance, world: World): void {
  app.get('/provider/v1/assets', (request, reply) =>
    answerPublicly(world, { kind: 'assets_read', request, reply }, () => ({ assets })),
  )
  app.get('/provider/v1/prices', (request, reply) =>
    answerPublicly(world, { kind: 'prices_read', request, reply }, () => {
      const query = PricesQuery.safeParse(request.query)
      if (!query.success) throw new Refused(400, 'invalid_request')
      return { prices: pricesIn(query.data.ccy, world.clock.nowMs()) }
    }),
  )
}
