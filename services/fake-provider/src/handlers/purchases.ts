/**
 * `GET /provider/v1/offers`, without credentials, and `GET /provider/v1/orders`: the offers for sale, and a test user's orders.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import type { FastifyInstance } from 'fastify'
import { offersToBuy } from '../offers.ts'
import { ordersOf } from '../purchases.ts'
import { answerPublicly, answerQuietly } from '../quiet-call.ts'
import type { World } from '../world.ts'

export function addPurchases(app: FastifyInstance, world: World): void {
  app.get(pathPattern('readOffers'), (request, reply) =>
    answerPublicly(world, { kind: 'services_read', request, reply }, () => ({
      offers: offersToBuy.map(({ products, ...offer }) => ({ ...offer, skus: products.map(({ sku }) => sku) })),
    })),
  )
  app.get(pathPattern('readOrders'), (request, reply) =>
    answerQuietly(world, { kind: 'purchases_read', clientReference: null, request, reply }, ({ testUser }) => ({
      orders: ordersOf(testUser, world.clock.nowMs()),
    })),
  )
}
