/**
 * Notifications as the API's webhooks send them, made from the state of an operation. They are signed in the same way
 * (Standard Webhooks, `v1` and `v1a`). The id derives from the operation and its change, so that a repeated
 * notification has the same id.
 */

import { createHash, type KeyObject, sign } from 'node:crypto'
import type { Operation, WebhookPayload } from '@financial-agents/client'
import { Webhook } from 'standardwebhooks'

export function notificationOf(operation: Operation): { id: string; body: string } {
  const { id, kind, state, submission_uncertain, updated_at } = operation
  const payload: WebhookPayload = {
    type: `operation.${state}`,
    timestamp: updated_at,
    data: { operation_id: id, kind, state, submission_uncertain },
  }
  const hex = createHash('sha256').update(`${id} ${state} ${updated_at}`).digest('hex')
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return { id: uuid, body: JSON.stringify(payload) }
}

/** Posts a notification once; returns the status of the answer, or the reason why there was none. */
export async function post(
  to: string,
  { secret, signingKey }: { secret: string; signingKey: KeyObject },
  { id, body }: { id: string; body: string },
  signal: AbortSignal,
): Promise<number | string> {
  const sentAt = new Date()
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const v1a = sign(null, Buffer.from(`${id}.${timestamp}.${body}`), signingKey).toString('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `${new Webhook(secret).sign(id, sentAt, body)} v1a,${v1a}`,
  }
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: limits })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    signal.throwIfAborted()
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? message
  }
}
