/** Signatures of Standard Webhooks 1.0.0: over `id.timestamp.body`, with the subscription's secrets and with our key. */

import { createHmac, type KeyObject, sign } from 'node:crypto'

export type Signed = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** The headers of one attempt. `v1` is HMAC-SHA-256, once for each secret, `v1a` Ed25519, all over the same bytes. */
export function signatureHeaders(
  message: { id: string; body: string; at: Date },
  keys: { secrets: readonly Buffer[]; signingKey: KeyObject },
): Signed {
  const timestamp = String(Math.floor(message.at.getTime() / 1_000))
  const content = Buffer.from(`${message.id}.${timestamp}.${message.body}`)
  const v1 = keys.secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
  const v1a = `v1a,${sign(null, content, keys.signingKey).toString('base64')}`
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': [...v1, v1a].join(' ') }
}
