/**
 * Asks the owner to confirm one request before it is sent, unless the request would be refused anyway. The service
 * keeps the request's hash and the words that the owner will read. Words that quote the payload are sealed. An intent
 * confirms exactly one request of exactly one grant over exactly one connection.
 */

import { type KeyObject, randomUUIDv7 } from 'node:crypto'
import type { Handlers } from '@financial-agents/bus/rpc'
import { requestHash } from '@financial-agents/contract/canonical-request'
import type { RouteInput } from '@financial-agents/contract/route'
import type { confirmationRoutes } from '@financial-agents/contract/routes/confirmation-intents'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { checkRoom } from '../ceilings/check-room.ts'
import { readAskedRequest } from '../intents/asked-request.ts'
import type { Asking } from '../intents/asking.ts'
import { checkActionScope } from '../intents/check-action-scope.ts'
import { checkAsked } from '../intents/check-asked.ts'
import { confirmedActions } from '../intents/confirmed-actions.ts'
import { toConfirmationIntent } from '../intents/intent-views.ts'
import { recordIntent } from '../store/confirmation-intents.ts'

export type IntentDependencies = {
  db: Database
  clock: Clock
  baseUrl: string
  requestHashKey: KeyObject
  /** Seals the quotes of payloads. */
  sealer: Sealer
  asking: Asking
}

const lifetimeMs = 10 * 60_000

type WithdrawalBody = RouteInput<(typeof spendingRoutes)['createWithdrawal']>['body']
type CreateConfirmationIntent = Handlers<typeof confirmationRoutes>['createConfirmationIntent']

export function createConfirmationIntent(dependencies: IntentDependencies): CreateConfirmationIntent {
  const { db, clock, baseUrl, requestHashKey, sealer, asking } = dependencies
  return async ({ body: { action: name, request } }, context) => {
    const action = confirmedActions[name]
    checkActionScope(action, context)
    const asked = readAskedRequest(action.route, request)
    const { principal, policy } = context
    const { owner_id, client_id, grant_id } = principal
    const { params, parsedBody: body } = asked
    const binding_id = await checkAsked(action, { params, body, principal, policy, context }, asking)
    if (name === 'transfer') {
      const { amount, currency } = body as WithdrawalBody
      await checkRoom(db, { ...principal, amount, currency, ceilings: policy.ceilings }, clock.now())
    }
    const { opening, facts, quoted = [] } = await action.summarise({ params, body, principal, context }, asking)
    const created_at = clock.now()
    const id = randomUUIDv7()
    const intent = {
      id,
      owner_id,
      client_id,
      grant_id,
      action: name,
      request_hash: requestHash(requestHashKey, asked),
      binding_id,
      summary: opening,
      facts,
      quoted_sealed: quoted.length === 0 ? null : sealer.seal(Buffer.from(JSON.stringify(quoted)), id),
      created_at,
      expires_at: new Date(created_at.getTime() + lifetimeMs),
    }
    await recordIntent(db, intent)
    return toConfirmationIntent(
      { ...intent, status: 'pending', decided_at: null, consumed_operation_id: null },
      baseUrl,
      sealer,
      created_at,
    )
  }
}
