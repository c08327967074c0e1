import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFingerprintSet } from './fingerprint-set.ts'

function digestOf(i: number): Buffer {
  return hash('sha256', String(i), 'buffer')
}

test('an added fingerprint is found after any growth of the set', () => {
  const set = createFingerprintSet()
  for (let i = 0; i < 20_000; i++) expect(set.add(digestOf(i))).toBe(true)
  expect(set.size).toBe(20_000)
  for (let i = 0; i < 20_000; i++) expect(set.add(digestOf(i))).toBe(false)
  expect(set.size).toBe(20_000)
})

test('fingerprints that differ in one bit are told apart', () => {
  const set = createFingerprintSet()
  expect(set.add(Buffer.alloc(16, 0x55))).toBe(true)
  for (let bit = 0; bit < 128; bit++) {
    const digest = Buffer.alloc(16, 0x55)
    digest[bit >> 3] = (digest[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(set.add(digest)).toBe(true)
  }
  expect(set.size).toBe(129)
})

test('a fingerprint of zeros is kept like any other', () => {
  const set = createFingerprintSet()
  expect(set.add(Buffer.alloc(16))).toBe(true)
  expect(set.add(Buffer.alloc(16))).toBe(false)
  expect(set.size).toBe(1)
})

test('fingerprints that share their first word are all kept', () => {
  const set = createFingerprintSet()
  const digests = Array.from({ length: 5000 }, (_, i) => {
    const digest = Buffer.alloc(16, 1)
    digest.writeUInt32LE(i, 12)
    return digest
  })
  for (const digest of digests) expect(set.add(digest)).toBe(true)
  for (const digest of digests) expect(set.add(digest)).toBe(false)
})
