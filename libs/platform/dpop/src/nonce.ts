/**
 * Server nonces (RFC 9449 §9). Each nonce names the replica that issued it, so exactly one process keeps the replay
 * record of a proof. A nonce has 32 bytes, 43 base64url characters:
 *
 *     boot id 8 | issued at, ms 6 | random 4 | HMAC-SHA-256 over the former, truncated to 14
 *
 * Invariant: a nonce is valid only if a replica with one of the keys made it, at most its lifetime ago. Nonces are not
 * stored: the HMAC proves their origin, and is computed once per nonce, not once per request.
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
// The last of 43 characters carries only 4 bits of the 32 bytes. Any other last character would be a second spelling.
const nonceShape = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const macLabel = 'dpop-nonce-1'

export interface NonceOptions {
  /** The HMAC key that all replicas share, at least 32 bytes. New nonces are made with it. */
  key: Buffer
  /** Further accepted keys: the previous key, or the next key before any replica makes nonces with it. */
  otherKeys?: readonly Buffer[]
  /** 8 random bytes that identify this process, see `createBootId`. */
  bootId: Buffer
  nowMs: () => number
  /** By default 5 minutes. */
  lifetimeMs?: number
  /** The time after which a new nonce is made; by default 30 s. Until then, the same nonce is given out. */
  renewAfterMs?: number
  /** The tolerance for another replica's clock that is ahead; by default 5 s. */
  maxAheadMs?: number
}

/** The result of checking a nonce: its origin and time, or the reason for a refusal. */
export type NonceCheck =
  | { ok: true; bootId: string; issuedAtMs: number }
  | { ok: false; reason: 'malformed' | 'forged' | 'old' | 'ahead' }

/** Makes and checks nonces. */
export interface Nonces {
  /** This process's boot id, 16 hexadecimal characters. */
  readonly bootId: string
  /** The nonce for a response's `DPoP-Nonce` header, valid for at least the lifetime less the renewal time. */
  current(): string
  /** Checks the origin and the age of a nonce, and returns the process and the time of its issue. Never throws. */
  check(nonce: string): NonceCheck
}

/** Creates 8 random bytes that identify a process while it runs. */
export function createBootId(): Buffer {
  return randomBytes(bootIdBytes)
}

/**
 * Creates the nonces of this process.
 *
 * @throws RangeError if a key is shorter than 32 bytes, the boot id is not 8 bytes, or renewal does not come before
 *   expiry
 */
export function createNonces(options: NonceOptions): Nonces {
  const { key, otherKeys = [], bootId, nowMs } = options
  const { lifetimeMs = 300_000, renewAfterMs = 30_000, maxAheadMs = 5_000 } = options
  const keys = [key, ...otherKeys]
  if (keys.some((each) => each.length < minKeyBytes)) throw new RangeError('a nonce key has at least 32 bytes')
  if (bootId.length !== bootIdBytes) throw new RangeError('a boot id has 8 bytes')
  if (renewAfterMs >= lifetimeMs) throw new RangeError('a nonce is renewed before it is old')

  // Only nonces with a valid HMAC are remembered, so nobody can fill this cache by guessing.
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
      // If the clock was set back, the current nonce comes from its future and must be replaced.
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
