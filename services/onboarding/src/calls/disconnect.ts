/**
 * `int.onboarding.disconnect`: the owner disconnects at the account page, without a client. The operation belongs to
 * the owner alone: no client sees it, and no fence of a grant or a client applies to it.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { accountPageClient } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import type { WriteContext } from '@financial-agents/writes/perform'
import { findConnection } from '../bindings-store.ts'
import { type DisconnectDependencies, disconnectConnection } from '../disconnect-connection.ts'
import { type EndDependencies, endIsKnown } from '../known-end.ts'

type Disconnect = Calls['int.onboarding.disconnect']

const asTheOwner = { client_id: accountPageClient, grant_id: accountPageClient }

export function disconnect(dependencies: DisconnectDependencies & EndDependencies) {
  return async (
    { owner_id, subject }: Disconnect['request'],
    context: MessageContext,
  ): Promise<Disconnect['answer']> => {
    const endsAt = performance.now() + context.timeoutMs
    const connection = await findConnection(dependencies.db, owner_id)
    if (connection === undefined) return { disconnected: false }
    const { id } = connection
    const ended = async () => {
      const leftMs = Math.max(1, Math.floor(endsAt - performance.now() - answerMs))
      return { disconnected: true, fenced: await endIsKnown(dependencies, id, leftMs) } as const
    }
    if (connection.status === 'disconnecting') return ended()
    for (;;) {
      try {
        await disconnectConnection(dependencies, writeOf({ owner_id, subject }, id, context, endsAt), () => ({
          resource_id: id,
        }))
        return await ended()
      } catch (error) {
        if (!(error instanceof Problem) || !endedMeanwhile.has(error.code)) throw error
        const now = await findConnection(dependencies.db, owner_id)
        if (now?.id !== id || now.status !== 'connected') return ended()
        // A client's disconnect is under way. It is not accepted yet, and perhaps nobody has confirmed it.
        if (endsAt - performance.now() < busyPauseMs + leastMs) throw error
        await delay(busyPauseMs)
      }
    }
  }
}

const busyPauseMs = 50
/** Subtracted from the caller's time-out, so that the answer arrives before the caller gives up. */
const answerMs = 150
/** The time that another attempt may need. */
const leastMs = 500

function writeOf(
  owner: Disconnect['request'],
  binding_id: string,
  context: MessageContext,
  endsAt: number,
): WriteContext {
  return {
    requestId: context.requestId,
    traceparent: context.traceparent,
    timeoutMs: Math.max(1, Math.floor(endsAt - performance.now())),
    principal: { ...asTheOwner, ...owner, binding_id },
    // A binding is disconnected once. A form sent twice, or again after a lost answer, finds its first request.
    idempotency: { key: binding_id, request_hash: 'disconnect' },
  }
}

const endedMeanwhile: ReadonlySet<string> = new Set(['resource_busy', 'service_connection_not_found'])
