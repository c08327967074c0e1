/** `GET /control/test-users`: the people who can sign in, for tools of developers. It never has their credentials. */

import type { FastifyInstance } from 'fastify'
import { testUsers } from '../test-users.ts'

export function addControlTestUsers(app: FastifyInstance): void {
  app.get('/control/test-users', async () => ({
    test_users: testUsers.map(({ id, name, country, currency, identity, about }) => ({
      id,
      name,
      country,
      currency,
      identity,
      about,
    })),
  }))
}
