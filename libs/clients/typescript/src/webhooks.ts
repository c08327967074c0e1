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

/**
 * The headers of a request, as a server has them: `Headers` of any implementation, a record, pairs, or the flat list of
 * Node's `rawHeaders`. Names are in any letter case.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [name: string, value: string | readonly string[]]>
  | readonly string[]

/** The bytes of a body, or its text. */
export type RawBody = string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer

const encoder = new TextEncoder()

/**
 * Verifies a webhook and returns its content.
 *
 * @param body the raw body as it was received: text or bytes, not the parsed object
 * @param options `toleranceS`: how old, and how far ahead, the webhook may be (300 seconds). `nowMs`: the time, for tests
 * @throws ClientError `webhook_invalid`: answer 400, and do nothing
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: RawBody,
  keys: WebhookKeys,
  { toleranceS = 300, nowMs = Date.now() }: { toleranceS?: number; nowMs?: number } = {},
): Promise<Webhook> {
  const { secrets = [], jwks } = keys
  if (secrets.length === 0 && !jwks)
    throw new ClientError('invalid_use', 'Give the secrets of the subscription, the published keys, or both.')
  if (!(toleranceS >= 0)) throw new ClientError('invalid_use', 'toleranceS is a number of seconds, from 0 on.')
  const bytes = rawBytes(body)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const atS = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(nowMs / 1_000 - atS) <= toleranceS))
    throw invalid(`its time is more than ${toleranceS} s away: it may be a replay, or this clock is wrong`)
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
  // Entries are separated by a blank, or by a comma if the header came several times.
  for (const [, version, encoded = ''] of signatures.matchAll(/(?:^|[ ,])(v1a?),([^ ,]+)/g)) {
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

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = valuesOf(headers, name).filter(Boolean).join(', ')
  if (value === '') throw invalid(`the header ${name} is missing`)
  return value
}

/** The values of a header. Only the shape of the object counts, because each realm and each library has classes of its own. */
function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (typeof headers !== 'object' || headers === null)
    throw new ClientError('invalid_use', 'Give the headers of the request.')
  if (!(Symbol.iterator in headers) && typeof headers['get'] === 'function') return [headers.get(name) ?? '']
  const pairs: readonly Pair[] = Symbol.iterator in headers ? pairsOf([...headers]) : Object.entries(headers)
  return pairs.flatMap(([given, value]) => (given.toLowerCase() === name ? (value ?? []) : []))
}

type Pair = readonly [name: string, value: string | readonly string[] | undefined]

function pairsOf(items: readonly (string | Pair)[]): Pair[] {
  return items.flatMap((item, index): Pair[] => {
    if (typeof item !== 'string') return [item]
    return index % 2 === 0 ? [[item, items[index + 1] as string]] : []
  })
}

/** The body may come from another realm, whose classes are not ours. */
function rawBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (/^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body))) return new Uint8Array(body)
  throw new ClientError('invalid_use', 'Give the raw body, before it is parsed: its bytes are signed.')
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
