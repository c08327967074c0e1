import { expect, test } from 'vitest'
import { createSealer, sealingKeys } from './sealing.ts'

const pair = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const sealer = createSealer(sealingKeys.parse(pair('a', 1)))
const plain = Buffer.from('{"iban":"x"}')

test('a sealed value opens in its own context and in no other', () => {
  const sealed = sealer.seal(plain, 'operation-1')
  expect(sealer.open(sealed, 'operation-1')).toEqual(plain)
  expect(() => sealer.open(sealed, 'operation-2')).toThrow()
})

test('one changed byte anywhere is refused', () => {
  const sealed = sealer.seal(plain, 'c')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index)
    expect(() => sealer.open(changed, 'c')).toThrow()
  }
  expect(() => sealer.open(Buffer.alloc(0), 'c')).toThrow()
})

test('a rotated sealer opens values of the old key and seals with the new one', () => {
  const rotated = createSealer(sealingKeys.parse(`${pair('b', 2)},${pair('a', 1)}`))
  expect(rotated.open(sealer.seal(plain, 'c'), 'c')).toEqual(plain)
  expect(() => sealer.open(rotated.seal(plain, 'c'), 'c')).toThrow()
})

test('keys of the wrong length are refused', () => {
  expect(sealingKeys.safeParse('a:AAAA').success).toBe(false)
})
