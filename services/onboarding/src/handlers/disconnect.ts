/**
 * `int.onboarding.disconnect`: the owner disconnects at the account page, without a client. The operation is the owner's
 * alone: no client sees it, and no fence of a grant or a client meets it.
 */

import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { accountPageClient } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import type { Queryable } from '@financial-agents/postgres/database'
import { findConnection } from '../bindings-store.ts'
import { type DisconnectParts, disconnectConnection } from '../disconnect-connection.ts'

type Disconnect = Calls['int.onboarding.disconnect']

const asTheOwner = { client_id: accountPageClient, subject: accountPageClient, grant_id: accountPageClient }

export function disconnect(parts: DisconnectParts & { db: Queryable }) {
  return async ({ owner_id }: Disconnect['request'], context: MessageContext): Promise<Disconnect['answer']> => {
    const connection = await findConnection(parts.db, owner_id)
    if (connection === undefined) return { disconnected: false }
    if (connection.status === 'disconnecting') return { disconnected: true }
    const { id } = connection
    const write = {
      requestId: context.requestId,
      traceparent: context.traceparent,
      timeoutMs: context.timeoutMs,
      principal: { ...asTheOwner, owner_id, binding_id: id },
      // A binding is disconnected once: a form sent twice, or again after a lost answer, meets itself.
      idempotency: { key: id, request_hash: 'disconnect' },
    }
    try {
      await disconnectConnection(parts, write, () => ({ resource_id: id }))
    } catch (error) {
      if (!(error instanceof Problem) || !endedMeanwhile.has(error.code)) throw error
      const now = await findConnection(parts.db, owner_id)
      // A client's disconnect may be under way that is not accepted yet.
      if (now?.id === id && now.status === 'connected') throw error
    }
    return { disconnected: true }
  }
}

const endedMeanwhile: ReadonlySet<string> = new Set(['resource_busy', 'service_connection_not_found'])
