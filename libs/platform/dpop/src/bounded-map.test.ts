import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('the map never holds more than its bound', () => {
  const map = createBoundedMap<number>(10)
  for (let i = 0; i < 1000; i++) {
    map.set(`k${i}`, i)
    map.get(`k${i - 3}`)
    expect(map.size).toBeLessThanOrEqual(10)
  }
})

test('the newest entries, up to half of the bound, are always kept', () => {
  const map = createBoundedMap<number>(10)
  for (let i = 0; i < 1000; i++) {
    map.set(`k${i}`, i)
    for (let back = 0; back < 5 && i - back >= 0; back++) expect(map.get(`k${i - back}`)).toBe(i - back)
  }
})

test('an entry that stays in use survives any number of others', () => {
  const map = createBoundedMap<string>(8)
  map.set('used', 'value')
  for (let i = 0; i < 100; i++) {
    map.set(`k${i}`, 'x')
    expect(map.get('used')).toBe('value')
  }
})

test('an entry that is not used is forgotten', () => {
  const map = createBoundedMap<string>(4)
  map.set('unused', 'value')
  for (let i = 0; i < 4; i++) map.set(`k${i}`, 'x')
  expect(map.get('unused')).toBeUndefined()
})

test('a second write replaces the first in whichever generation it was', () => {
  const map = createBoundedMap<number>(4)
  map.set('a', 1)
  map.set('b', 1)
  map.set('c', 1)
  map.set('a', 2)
  expect(map.get('a')).toBe(2)
  expect(map.size).toBe(3)
})

test('a deleted entry does not come back', () => {
  const map = createBoundedMap<number>(4)
  map.set('a', 1)
  map.set('b', 1)
  map.set('c', 1)
  map.delete('a')
  map.delete('c')
  expect(map.get('a')).toBeUndefined()
  expect(map.get('c')).toBeUndefined()
})

test('a bound that cannot hold two generations is refused', () => {
  expect(() => createBoundedMap(1)).toThrow(RangeError)
  expect(() => createBoundedMap(2.5)).toThrow(RangeError)
})
