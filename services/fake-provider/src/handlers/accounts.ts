/**
 * `GET /provider/v1/accounts`, `GET /provider/v1/purse`, `GET /provider/v1/limits` and `GET /provider/v1/account-number-terms`: a
 * persona's accounts, money to spend, withdrawal limits, and fees for an account number.
 */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { termsOf } from '../account-number-terms.ts'
import { limitsOf } from '../limits.ts'
import { findScheme } from '../payout-schemes.ts'
import { offers, type Persona } from '../personas.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

const LimitsQuery = z.strictObject({
  scheme_id: z.string(),
  ccy: z.string().optional(),
  account_kind: z.string().optional(),
})

export function addAccounts(app: FastifyInstance, world: World): void {
  const reads: { readonly [Path in string]: (persona: Persona, query: unknown) => object } = {
    '/provider/v1/accounts': ({ accounts }) => ({ accounts }),
    '/provider/v1/purse': (persona) => ({ purse: world.purses.show(persona) }),
    '/provider/v1/limits': findLimits,
  }
  for (const [path, read] of Object.entries(reads)) {
    app.get(path, (request, reply) =>
      answerQuietly(world, { kind: 'account_read', clientReference: null, request, reply }, ({ persona }) =>
        read(persona, request.query),
      ),
    )
  }
  app.get('/provider/v1/account-number-terms', (request, reply) =>
    answerQuietly(world, { kind: 'economics_read', clientReference: null, request, reply }, ({ persona }) => ({
      terms: termsOf(persona),
    })),
  )
}

function findLimits(persona: Persona, query: unknown): object {
  const parsed = LimitsQuery.safeParse(query)
  if (!parsed.success) throw new Refused(400, 'invalid_request')
  const { scheme_id, ccy, account_kind } = parsed.data
  const scheme = findScheme(scheme_id)
  if (scheme === undefined || !offers(persona, scheme_id)) return { limits: null }
  const limits = limitsOf(scheme, persona)
  const asked = (ccy ?? limits.ccy) === limits.ccy && (account_kind ?? limits.account_kind) === limits.account_kind
  return { limits: asked ? limits : null }
}
