/**
 * Server nonces (RFC 9449 §9) that name the replica that issued them, so that a proof's replay record has one home.
 * 32 bytes, 43 base64url characters:
 *
 *     boot id 8 | issued at, ms 6 | random 4 | HMAC-SHA-256 over the former, truncated to 14
 *
 * Invariant: a nonce is good only if a replica that holds one of the keys made it, at most its lifetime ago. Nothing is
 * stored: the HMAC proves it, and is computed once per nonce, not once per request.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createBoundedMap } from './bounded-map.ts'

const bootIdBytes = 8
const timeBytes = 6
const randomLength = 4
const signedBytes = bootIdBytes + timeBytes + randomLength
const nonceBytes = 32
const minKeyBytes = 32
const memoEntries = 1024
// The last of 43 characters carries 4 bits of the 32 bytes; another last character would be a second spelling of them.
const nonceShape = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const macLabel = 'dpop-nonce-1'

/** Keys and times of the nonces. */
export interface NonceOptions {
  /** The HMAC key shared by all replicas, at least 32 bytes; new nonces are made with it. */
  key: Buffer
  /** Keys that are accepted too: the previous one, or the next one before any replica makes nonces with it. */
  otherKeys?: readonly Buffer[]
  /** 8 random bytes that name this process, see `createBootId`. */
  bootId: Buffer
  nowMs: () => number
  /** How long a nonce is good: 5 minutes. */
  lifetimeMs?: number
  /** How long the same nonce is given out before a new one is made: 30 s. */
  renewAfterMs?: number
  /** How far another replica's clock may be ahead: 5 s. */
  maxAheadMs?: number
}

/** What a nonce is worth. */
export type NonceCheck =
  | { ok: true; bootId: string; issuedAtMs: number }
  | { ok: false; reason: 'malformed' | 'forged' | 'old' | 'ahead' }

/** Makes and checks nonces. */
export interface Nonces {
  /** This process's boot id, 16 hexadecimal characters. */
  readonly bootId: string
  /** A nonce for a response's `DPoP-Nonce`, good for at least the lifetime less the renewal time. */
  current(): string
  /** Whether a nonce is ours and not too old, and which process issued it when. Never throws. */
  check(nonce: string): NonceCheck
}

/** 8 random bytes that name a process for as long as it runs. */
export function createBootId(): Buffer {
  return randomBytes(bootIdBytes)
}

/**
 * Makes and checks nonces.
 *
 * @throws RangeError when a key is shorter than 32 bytes or the boot id is not 8 bytes
 */
export function createNonces(options: NonceOptions): Nonces {
  const { key, otherKeys = [], bootId, nowMs } = options
  const { lifetimeMs = 300_000, renewAfterMs = 30_000, maxAheadMs = 5_000 } = options
  const keys = [key, ...otherKeys]
  if (keys.some((each) => each.length < minKeyBytes)) throw new RangeError('a nonce key has at least 32 bytes')
  if (bootId.length !== bootIdBytes) throw new RangeError('a boot id has 8 bytes')
  if (renewAfterMs >= lifetimeMs) throw new RangeError('a nonce is renewed before it is old')

  // Only nonces with a good HMAC are remembered, so nobody can fill this by guessing.
  const genuine = createBoundedMap<{ bootId: string; issuedAtMs: number }>(memoEntries)
  let given = ''
  let givenAtMs = 0

  function authenticate(nonce: string): { bootId: string; issuedAtMs: number } | undefined {
    const bytes = Buffer.from(nonce, 'base64url')
    const signed = bytes.subarray(0, signedBytes)
    const mac = bytes.subarray(signedBytes)
    if (!keys.some((each) => timingSafeEqual(macOf(each, signed), mac))) return undefined
    const parts = {
      bootId: signed.toString('hex', 0, bootIdBytes),
      issuedAtMs: signed.readUIntBE(bootIdBytes, timeBytes),
    }
    genuine.set(nonce, parts)
    return parts
  }

  return {
    bootId: bootId.toString('hex'),
    current() {
      const now = nowMs()
      // A clock that was set back must not leave us handing out nonces from its future.
      if (given === '' || now - givenAtMs >= renewAfterMs || now < givenAtMs) {
        given = makeNonce(key, bootId, now)
        givenAtMs = now
      }
      return given
    },
    check(nonce) {
      const parts = genuine.get(nonce) ?? (nonceShape.test(nonce) ? authenticate(nonce) : 'malformed')
      if (parts === 'malformed') return { ok: false, reason: 'malformed' }
      if (parts === undefined) return { ok: false, reason: 'forged' }
      const ageMs = nowMs() - parts.issuedAtMs
      if (ageMs > lifetimeMs) return { ok: false, reason: 'old' }
      if (ageMs < -maxAheadMs) return { ok: false, reason: 'ahead' }
      return { ok: true, bootId: parts.bootId, issuedAtMs: parts.issuedAtMs }
    },
  }
}

function makeNonce(key: Buffer, bootId: Buffer, issuedAtMs: number): string {
  const signed = Buffer.alloc(signedBytes)
  bootId.copy(signed)
  signed.writeUIntBE(Math.floor(issuedAtMs), bootIdBytes, timeBytes)
  randomBytes(randomLength).copy(signed, bootIdBytes + timeBytes)
  return Buffer.concat([signed, macOf(key, signed)]).toString('base64url')
}

function macOf(key: Buffer, signed: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(macLabel).update(signed).digest()
  return mac.subarray(0, nonceBytes - signedBytes)
}
