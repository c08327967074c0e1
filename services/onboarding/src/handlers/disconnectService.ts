/**
 * DELETE /v1/service-connections/current: a write whose key is the confirmation itself, so that the same one repeated is
 * answered alike. What libs/writes says of the key is said of the confirmation here.
 */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Queryable } from '@financial-agents/postgres/database'
import { findConnection } from '../bindings-store.ts'
import { type DisconnectParts, disconnectConnection } from '../disconnect-connection.ts'
import { notConnected } from '../grant-revoke.ts'

export function disconnectService(
  parts: DisconnectParts & { db: Queryable },
): Handlers<typeof onboardingRoutes>['disconnectService'] {
  return async (_input, context) => {
    const { intent_id, request_hash } = confirmationOf(context)
    const connection = await findConnection(parts.db, context.principal.owner_id)
    const write = {
      ...context,
      // The route needs no connection, so the gateway may not have named it; the operation has to.
      principal: { ...context.principal, binding_id: connection?.id ?? null },
      idempotency: { key: intent_id, request_hash },
    }
    await disconnectConnection(parts, write, () => {
      if (connection === undefined) throw notConnected()
      return { resource_id: connection.id, confirmation: { action: 'service_disconnect', intent_id } }
    }).catch((error: unknown) => {
      throw toldOfConfirmation(error)
    })
    return null
  }
}

function confirmationOf({ confirmation: { intent_id, request_hash } }: HandlerContext) {
  if (intent_id === null) throw new Problem('confirmation_required')
  return { intent_id, request_hash }
}

const again = 'Repeat the identical request with the same confirmation'

/** A client that disconnects knows of a confirmation, and of no key. */
function toldOfConfirmation(error: unknown): unknown {
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
