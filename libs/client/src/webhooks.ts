/**
 * Verification of webhooks (Standard Webhooks): HMAC `v1` by the subscription's secret, Ed25519 `v1a` by the published keys. The
 * raw body is verified, never parsed and written again. A webhook only tells when to read: `agent.wait(operation_id)`.
 */

import { ClientError } from './client-error.ts'
import type { WebhookPayload } from './generated/types.ts'
import type { CryptoKey, Jwk } from './jwk.ts'

/** The keys that verify: at least one of the two. */
export type WebhookKeys = {
  /** The secrets of the subscription (`whsec_…`): several while one is being replaced. */
  secrets?: readonly string[]
  /** The JWK Set at `/.well-known/webhooks-jwks.json` of the API. */
  jwks?: { keys: readonly Jwk[] }
}

/** A verified webhook. Deliveries repeat: handle each `id` once. */
export type Webhook = { id: string; sentAt: Date; payload: WebhookPayload }

type Given = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const encoder = new TextEncoder()

/**
 * Verifies a webhook and returns its content.
 *
 * @param body the raw body as it was received: text or bytes, not the parsed object
 * @param options `toleranceS`: how old, and how far ahead, the webhook may be (300 seconds). `nowMs`: the time, for tests
 * @throws ClientError `webhook_invalid`: answer 400, and do nothing
 */
export async function verifyWebhook(
  headers: Given,
  body: string | Uint8Array,
  keys: WebhookKeys,
  { toleranceS = 300, nowMs = Date.now() }: { toleranceS?: number; nowMs?: number } = {},
): Promise<Webhook> {
  const { secrets = [], jwks } = keys
  if (secrets.length === 0 && !jwks)
    throw new ClientError('invalid_use', 'Give the secrets of the subscription, the published keys, or both.')
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new ClientError('invalid_use', 'Give the raw body, before it is parsed: its bytes are signed.')
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const atS = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1_000 - atS) > toleranceS)
    throw invalid(`its time is more than ${toleranceS} s away: it may be a replay, or this clock is wrong`)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes)
  const isGood = await anyVerifies(signatures, signed, secrets, jwks?.keys ?? [])
  if (!isGood) throw invalid('no signature is by one of the keys')
  const payload = JSON.parse(new TextDecoder().decode(bytes)) as WebhookPayload
  return { id, sentAt: new Date(atS * 1_000), payload }
}

async function anyVerifies(
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
  jwks: readonly Jwk[],
): Promise<boolean> {
  for (const entry of signatures.split(' ')) {
    const [version, encoded = ''] = entry.split(',')
    const signature = bytesOf(encoded)
    if (!signature) continue
    if (version === 'v1') {
      for (const secret of secrets)
        if (await crypto.subtle.verify('HMAC', await hmacKey(secret), signature, signed)) return true
    } else if (version === 'v1a') {
      for (const jwk of jwks)
        if (jwk.crv === 'Ed25519' && (await crypto.subtle.verify('Ed25519', await edKey(jwk), signature, signed)))
          return true
    }
  }
  return false
}

async function hmacKey(secret: string): Promise<CryptoKey> {
  const raw = bytesOf(secret.replace(/^whsec_/, ''))
  if (!raw || raw.length === 0) throw new ClientError('invalid_use', 'A secret is whsec_ and base64.')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function edKey({ kty, crv, x }: Jwk): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', { kty, crv, x } as object, 'Ed25519', false, ['verify'])
}

function headerOf(headers: Given, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw invalid(`the header ${name} is missing`)
  return value
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

function invalid(why: string): ClientError {
  return new ClientError('webhook_invalid', `The webhook is not accepted: ${why}.`)
}
