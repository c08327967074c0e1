/** Authorization area: confirmation intents. A request needs one of their scopes, and the scope of its action. */

import { z } from 'zod'
import { confirmationProblems, type ProblemCode, problemCatalogue } from '../problem-catalogue.ts'
import { problemsOf } from '../problems-of.ts'
import { route } from '../route.ts'
import { confirmationIntent, createConfirmationIntentBody } from '../schemas/confirmation-intent.ts'
import { pathId } from '../schemas/primitives.ts'
import { mandatesRoutes } from './mandates.ts'
import { onboardingRoutes } from './onboarding.ts'
import { spendingRoutes } from './spending.ts'

const area = {
  area: 'authorization',
  service: 'operations',
  scope: ['spending:withdraw', 'services:read'],
  response: confirmationIntent,
} as const

const confirmed = [
  mandatesRoutes.createMandate,
  mandatesRoutes.revokeMandate,
  onboardingRoutes.disconnectService,
  spendingRoutes.createWithdrawal,
]

/** Problems that only the write itself can have: those of its key and its confirmation, and a missing answer. */
const ofTheWriteAlone: ReadonlySet<ProblemCode> = new Set([
  ...confirmationProblems,
  'idempotency_key_conflict',
  'idempotency_key_expired',
  'acceptance_unknown',
])

/**
 * The problems that refuse the confirmed writes. 404 is left out: here a missing object is an invalid member of the
 * body, 422.
 */
const refusals = [...new Set(confirmed.flatMap(problemsOf))].filter(
  (code) => !ofTheWriteAlone.has(code) && problemCatalogue[code].status !== 404,
)

export const confirmationRoutes = {
  createConfirmationIntent: route({
    summary: 'Ask the owner to confirm one request',
    description:
      'Name the request exactly as you will send it. If the request would be refused now, it is refused here with the same problem, and the paths in `fields` start at `request`. Hand `confirmation_url` to the owner, who signs in again, reads `summary` and decides. Poll the intent meanwhile. The intent is bound to this grant, to this request and to the current provider connection, can be used once, and expires ten minutes after its creation. In addition to one of these scopes, you need the scope of the action.',
    ...area,
    method: 'POST',
    path: '/v1/confirmation-intents',
    client: 'confirmations.create',
    policy: true,
    body: createConfirmationIntentBody,
    status: 201,
    problems: refusals,
  }),
  getConfirmationIntent: route({
    summary: 'Read a confirmation intent',
    description: 'Poll it after `poll_after_ms` until its status is `confirmed` or `declined`.',
    ...area,
    method: 'GET',
    path: '/v1/confirmation-intents/{intent_id}',
    client: 'confirmations.get',
    params: z.strictObject({ intent_id: pathId('The confirmation intent.') }),
    problems: ['confirmation_intent_not_found'],
  }),
}
