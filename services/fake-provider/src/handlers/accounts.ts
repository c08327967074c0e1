/**
 * `GET /provider/v1/accounts`, `GET /provider/v1/purse`, `GET /provider/v1/limits` and `GET /provider/v1/account-number-terms`: a
 * test user's accounts, money to spend, withdrawal limits, and fees for an account number.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { limitsQuery } from '@financial-agents/provider-api/shapes/accounts'
import type { FastifyInstance } from 'fastify'
import { termsOf } from '../account-number-terms.ts'
import { limitsOf } from '../limits.ts'
import { findScheme } from '../payout-schemes.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import { offers, type TestUser } from '../test-users.ts'
import type { World } from '../world.ts'

export function addAccounts(app: FastifyInstance, world: World): void {
  const reads: { readonly [Path in string]: (testUser: TestUser, query: unknown) => object } = {
    [pathPattern('readAccounts')]: ({ accounts }) => ({ accounts }),
    [pathPattern('readPurse')]: (testUser) => ({ purse: world.purses.show(testUser) }),
    [pathPattern('readLimits')]: findLimits,
  }
  for (const [path, read] of Object.entries(reads)) {
    app.get(path, (request, reply) =>
      answerQuietly(world, { kind: 'account_read', clientReference: null, request, reply }, ({ testUser }) =>
        read(testUser, request.query),
      ),
    )
  }
  app.get(pathPattern('readAccountNumberTerms'), (request, reply) =>
    answerQuietly(world, { kind: 'economics_read', clientReference: null, request, reply }, ({ testUser }) => ({
      terms: termsOf(testUser),
    })),
  )
}

function findLimits(testUser: TestUser, query: unknown): object {
  const parsed = limitsQuery.safeParse(query)
  if (!parsed.success) throw new Refused(400, 'invalid_request')
  const { scheme_id, ccy, account_kind } = parsed.data
  const scheme = findScheme(scheme_id)
  if (scheme === undefined || !offers(testUser, scheme_id)) return { limits: null }
  const limits = limitsOf(scheme, testUser)
  const asked = (ccy ?? limits.ccy) === limits.ccy && (account_kind ?? limits.account_kind) === limits.account_kind
  return { limits: asked ? limits : null }
}
