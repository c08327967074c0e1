import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { derFromRaw } from './der-signature.ts'
import { createSeededRandom } from './testing/seeded-random.ts'

/** DER encoding in an independent way: converts big integers to minimal two's complement. */
function derByTheBook(raw: Buffer): string {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((bytes) => {
    let hex = BigInt(`0x${bytes.toString('hex')}`).toString(16)
    if (hex.length % 2 === 1) hex = `0${hex}`
    if (Number.parseInt(hex.slice(0, 2), 16) >= 0x80) hex = `00${hex}`
    return `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  })
  const body = integers.join('')
  return `30${(body.length / 2).toString(16).padStart(2, '0')}${body}`
}

test('leading zeros are dropped and high bits padded, for every count of zeros in r and s', () => {
  for (const first of [0x01, 0x7f, 0x80, 0xff]) {
    for (let rZeros = 0; rZeros < 32; rZeros++) {
      for (let sZeros = 0; sZeros < 32; sZeros++) {
        const raw = Buffer.alloc(64, 0xa5)
          .fill(0, 0, rZeros)
          .fill(0, 32, 32 + sZeros)
        raw[rZeros] = first
        raw[32 + sZeros] = first
        expect(derFromRaw(raw)?.toString('hex')).toBe(derByTheBook(raw))
      }
    }
  }
})

test('random values have the same DER form as by an independent encoder', () => {
  const random = createSeededRandom(20260101)
  for (let i = 0; i < 2000; i++) {
    const raw = Buffer.from(Array.from({ length: 64 }, () => random.oneOf([0, 1, 0x7f, 0x80, 0xff, random.below(256)])))
    raw[31] = 1
    raw[63] = 1
    expect(derFromRaw(raw)?.toString('hex')).toBe(derByTheBook(raw))
  }
})

test('a raw signature of node:crypto verifies in our DER form', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (let i = 0; i < 300; i++) {
    const data = Buffer.from(`message ${i}`)
    const raw = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    expect(verify('sha256', data, publicKey, derFromRaw(raw) as Buffer)).toBe(true)
  }
})

test.each([0, 1, 63, 65, 128])('a signature of %i bytes has no DER form', (length) => {
  expect(derFromRaw(Buffer.alloc(length, 1))).toBeUndefined()
})

test('a zero r or s has no DER form', () => {
  expect(derFromRaw(Buffer.alloc(64).fill(1, 32))).toBeUndefined()
  expect(derFromRaw(Buffer.alloc(64).fill(1, 0, 32))).toBeUndefined()
})
