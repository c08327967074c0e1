/**
 * Creates operators' tokens: signed by the console's own key, bound to the key of the session, valid for five minutes.
 * They name no grant, and no customer route accepts them.
 */

import { createPublicKey, randomUUID } from 'node:crypto'
import { operatorAudience, operatorClientId } from '@financial-agents/contract/operator-audience'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import type { Session } from '../store/sessions.ts'
import type { ConsoleSigningKey } from './signing-keys.ts'

const lifetimeS = 300
/** A token is reused for four of its five minutes, so that a request always has at least one minute left. */
const reusedMs = 240_000
const maxSessions = 1_000

export type OperatorTokens = (session: Session) => Promise<string>

export function createOperatorTokens(options: {
  keys: readonly ConsoleSigningKey[]
  baseUrl: string
  clock: Clock
}): OperatorTokens {
  const { keys, baseUrl, clock } = options
  const [key] = keys
  if (!key) throw new Error('the console needs a signing key')
  const cache = createExpiringCache<string>({ clock, ttlMs: reusedMs, maxEntries: maxSessions })
  return (session) => cache.get(session.key, () => generate(session, key, operatorAudience(baseUrl), clock.nowMs()))
}

async function generate(session: Session, key: ConsoleSigningKey, audience: string, nowMs: number): Promise<string> {
  const { operator, scopes, proofKey } = session
  const issuedAt = Math.floor(nowMs / 1_000)
  const jkt = await calculateJwkThumbprint(createPublicKey(proofKey).export({ format: 'jwk' }))
  return new SignJWT({
    client_id: operatorClientId,
    ...(operator.name === null ? {} : { name: operator.name }),
    scope: scopes.join(' '),
    sid: session.key,
    cnf: { jkt },
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
    .setIssuer(audience)
    .setAudience(audience)
    .setSubject(operator.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeS)
    .setJti(randomUUID())
    .sign(key.privateKey)
}
