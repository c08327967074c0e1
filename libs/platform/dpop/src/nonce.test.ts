import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBootId, createNonces, type NonceOptions } from './nonce.ts'
import { createSeededRandom } from './testing/seeded-random.ts'

const startMs = 1_800_000_000_000

function createFixture(options: Partial<NonceOptions> = {}) {
  const clock = { nowMs: startMs }
  const key = options.key ?? randomBytes(32)
  const bootId = createBootId()
  const nowMs = () => clock.nowMs
  return { clock, key, bootId, nowMs, nonces: createNonces({ key, bootId, nowMs, ...options }) }
}

test('a nonce is 43 base64url characters of 32 bytes that begin with the boot id and the time', () => {
  const { nonces, bootId } = createFixture()
  const nonce = nonces.current()
  expect(nonce).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const bytes = Buffer.from(nonce, 'base64url')
  expect(bytes.length).toBe(32)
  expect(bytes.subarray(0, 8)).toEqual(bootId)
  expect(bytes.readUIntBE(8, 6)).toBe(startMs)
})

test('the last 14 bytes are the HMAC of the first 18', () => {
  const { nonces, key } = createFixture()
  const bytes = Buffer.from(nonces.current(), 'base64url')
  const mac = createHmac('sha256', key).update('dpop-nonce-1').update(bytes.subarray(0, 18)).digest()
  expect(bytes.subarray(18)).toEqual(mac.subarray(0, 14))
})

test('a nonce of another replica with the same key is accepted and names its process', () => {
  const here = createFixture()
  const there = createFixture({ key: here.key })
  const answer = { ok: true, bootId: there.bootId.toString('hex'), issuedAtMs: startMs }
  expect(here.nonces.check(there.nonces.current())).toEqual(answer)
  expect(here.nonces.check(there.nonces.current())).toEqual(answer)
  expect(there.nonces.bootId).toMatch(/^[0-9a-f]{16}$/)
})

test('a nonce is given out for 30 s and then replaced', () => {
  const { nonces, clock } = createFixture()
  const first = nonces.current()
  clock.nowMs += 29_999
  expect(nonces.current()).toBe(first)
  clock.nowMs += 1
  expect(nonces.current()).not.toBe(first)
})

test('two nonces of one moment differ', () => {
  const { key, bootId, nowMs } = createFixture()
  const one = createNonces({ key, bootId, nowMs })
  const other = createNonces({ key, bootId, nowMs })
  expect(one.current()).not.toBe(other.current())
})

test('a nonce is good for five minutes and not a millisecond longer, remembered or not', () => {
  const { nonces, clock, key, nowMs } = createFixture()
  const nonce = nonces.current()
  nonces.check(nonce)
  clock.nowMs += 300_000
  expect(nonces.check(nonce).ok).toBe(true)
  clock.nowMs += 1
  expect(nonces.check(nonce)).toEqual({ ok: false, reason: 'old' })
  expect(createNonces({ key, bootId: createBootId(), nowMs }).check(nonce)).toEqual({ ok: false, reason: 'old' })
})

test('every nonce given out has at least four and a half minutes left', () => {
  const { nonces, clock } = createFixture()
  for (let step = 0; step < 400; step++) {
    const nonce = nonces.current()
    const issuedAtMs = Buffer.from(nonce, 'base64url').readUIntBE(8, 6)
    expect(clock.nowMs - issuedAtMs).toBeLessThanOrEqual(30_000)
    clock.nowMs += 997
  }
})

test('a nonce from a clock a little ahead is accepted, from one far ahead refused', () => {
  const here = createFixture()
  const there = createFixture({ key: here.key })
  there.clock.nowMs += 5000
  expect(here.nonces.check(there.nonces.current()).ok).toBe(true)
  there.clock.nowMs += 30_001
  expect(here.nonces.check(there.nonces.current())).toEqual({ ok: false, reason: 'ahead' })
})

test('when the clock is set back, a nonce of the new time is given out', () => {
  const { nonces, clock } = createFixture()
  nonces.current()
  clock.nowMs -= 3_600_000
  expect(nonces.check(nonces.current())).toMatchObject({ ok: true, issuedAtMs: clock.nowMs })
})

test('a nonce under another key is forged', () => {
  const { nonces } = createFixture()
  expect(nonces.check(createFixture().nonces.current())).toEqual({ ok: false, reason: 'forged' })
})

test('a nonce with any one bit changed is refused', () => {
  const { nonces } = createFixture()
  const bytes = Buffer.from(nonces.current(), 'base64url')
  for (let bit = 0; bit < 256; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(nonces.check(changed.toString('base64url'))).toEqual({ ok: false, reason: 'forged' })
  }
})

test('a second spelling of a good nonce is malformed', () => {
  const { nonces } = createFixture()
  const nonce = nonces.current()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = nonce.slice(0, -1) + alphabet[alphabet.indexOf(nonce.slice(-1)) + 1]
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(nonce, 'base64url'))
  expect(nonces.check(other)).toEqual({ ok: false, reason: 'malformed' })
})

test.each([
  '',
  'A'.repeat(42),
  'A'.repeat(44),
  `${'A'.repeat(42)}=`,
  `${'A'.repeat(42)}+`,
  ' '.repeat(43),
  'é'.repeat(43),
])('%j is malformed', (nonce) => {
  expect(createFixture().nonces.check(nonce)).toEqual({ ok: false, reason: 'malformed' })
})

test('random text is refused, and nothing throws', () => {
  const random = createSeededRandom(43)
  const { nonces } = createFixture()
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: random.below(90) }, () => String.fromCharCode(random.below(300))).join('')
    expect(nonces.check(text).ok).toBe(false)
  }
})

test('while keys are rotated, replicas before and after accept each other', () => {
  const former = randomBytes(32)
  const next = randomBytes(32)
  const before = createFixture({ key: former, otherKeys: [next] })
  const after = createFixture({ key: next, otherKeys: [former] })
  expect(before.nonces.check(after.nonces.current()).ok).toBe(true)
  expect(after.nonces.check(before.nonces.current()).ok).toBe(true)
})

test('after the rotation a nonce of the former key is refused', () => {
  const former = createFixture()
  expect(createFixture().nonces.check(former.nonces.current())).toEqual({ ok: false, reason: 'forged' })
})

test('a short key, a boot id of another size and a renewal after the lifetime are refused', () => {
  expect(() => createFixture({ key: Buffer.alloc(31) })).toThrow(RangeError)
  expect(() => createFixture({ otherKeys: [Buffer.alloc(0)] })).toThrow(RangeError)
  expect(() => createFixture({ bootId: Buffer.alloc(7) })).toThrow(RangeError)
  expect(() => createFixture({ renewAfterMs: 300_000 })).toThrow(RangeError)
})
