import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRepeatedMember } from './repeated-member.ts'

test('no JSON that was written from a value has a member twice', () => {
  fc.assert(
    fc.property(fc.json({ depthSize: 'medium' }), (text) => {
      expect(findRepeatedMember(text)).toBeUndefined()
      expect(findRepeatedMember(JSON.stringify(JSON.parse(text), null, 2))).toBeUndefined()
    }),
  )
})

const members = fc.uniqueArray(fc.tuple(fc.string(), fc.json()), { minLength: 1, selector: ([name]) => name })
const written = (pairs: readonly (readonly [string, string])[]) =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(' ,\n')}}`

test('a member that comes twice is found, wherever and however deep', () => {
  fc.assert(
    fc.property(members, fc.nat(), fc.nat(20), fc.json(), (pairs, index, depth, value) => {
      const [name] = pairs[index % pairs.length] as [string, string]
      const twice = written([...pairs, [name, value]])
      const nested = `${'{"a":[0,'.repeat(depth)}${twice}${']}'.repeat(depth)}`
      expect(findRepeatedMember(nested)).toEqual([...Array.from({ length: depth }, () => ['a', '1']).flat(), name])
    }),
  )
})

test('a body of 64 KiB of brackets ends as quickly as any other', () => {
  expect(findRepeatedMember('['.repeat(32_768) + ']'.repeat(32_768))).toBeUndefined()
})
