/** `GET /control/personas`: the people who can sign in, for tools of developers. It never has their credentials. */

import type { FastifyInstance } from 'fastify'
import { personas } from '../personas.ts'

export function addControlPersonas(app: FastifyInstance): void {
  app.get('/control/personas', async () => ({
    personas: personas.map(({ id, name, country, currency, identity, about }) => ({
      id,
      name,
      country,
      currency,
      identity,
      about,
    })),
  }))
}
