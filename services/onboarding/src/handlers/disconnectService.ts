/**
 * DELETE /v1/service-connections/current: a write whose idempotency key is the confirmation itself, so that a repeated
 * request gets an equal answer. Problems that libs/frame/writes words for a key are worded here for a confirmation.
 *
 * Invariant: 204 means that the gateways refuse the connection and that nothing accepted over it is sent any more
 * (write protocol, rules 8 and 18). Until that is confirmed the answer is 503, also to a repetition.
 */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { findConnection } from '../bindings-store.ts'
import { type DisconnectDependencies, disconnectConnection } from '../disconnect-connection.ts'
import { notConnected } from '../grant-revoke.ts'
import { type EndDependencies, endIsKnown } from '../known-end.ts'

export function disconnectService(
  dependencies: DisconnectDependencies & EndDependencies,
): Handlers<typeof onboardingRoutes>['disconnectService'] {
  return async (_input, context) => {
    const endsAt = performance.now() + context.timeoutMs - answerMs
    const { intent_id, request_hash } = confirmationOf(context)
    const connection = await findConnection(dependencies.db, context.principal.owner_id)
    const write = {
      ...context,
      // The route needs no connection, so the gateway may not have named one. The operation must name it.
      principal: { ...context.principal, binding_id: connection?.id ?? null },
      idempotency: { key: intent_id, request_hash },
    }
    const { operation } = await disconnectConnection(dependencies, write, () => {
      if (connection === undefined) throw notConnected()
      return { resource_id: connection.id, confirmation: { action: 'service_disconnect', intent_id } }
    }).catch((error: unknown) => {
      throw reportedConfirmation(error)
    })
    const leftMs = Math.max(1, Math.floor(endsAt - performance.now()))
    if (await endIsKnown(dependencies, operation.resource_id, Math.min(leftMs, fenceMs))) return null
    throw new Problem('service_unavailable', { detail: isEnding })
  }
}

/** Subtracted from the caller's time-out, so that the answer arrives before the caller gives up. */
const answerMs = 150
const fenceMs = 2_500

function confirmationOf({ confirmation: { intent_id, request_hash } }: HandlerContext) {
  if (intent_id === null) throw new Problem('confirmation_required')
  return { intent_id, request_hash }
}

const again = 'Repeat the identical request with the same confirmation'
const isEnding = `The connection is ending, which goes on by itself. It is not confirmed yet that what was accepted over it and is unsent is stopped. ${again} until it is answered.`

/** Translates problems of the key: a client that disconnects knows a confirmation, and no key. */
function reportedConfirmation(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { code, cause } = error
  if (code === 'idempotency_key_expired') return new Problem('confirmation_expired', { cause })
  if (code === 'idempotency_key_conflict') return new Problem('confirmation_mismatch', { cause })
  if (code === 'acceptance_unknown')
    return new Problem(code, { detail: `The disconnect may have been accepted. ${again} to find out.`, cause })
  if (code === 'service_unavailable')
    return new Problem(code, { detail: `Nothing was accepted. ${again} after a moment.`, cause })
  return error
}
