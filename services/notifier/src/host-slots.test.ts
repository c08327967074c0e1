import { expect, test } from 'vitest'
import { createHostSlots } from './host-slots.ts'

test('a host gets no more than its own slots, and all hosts together no more than there are', () => {
  const slots = createHostSlots({ total: 5, perHost: 2 })
  expect(slots.roomsFor(['a', 'b'])).toEqual({
    rooms: [
      { host: 'a', room: 2 },
      { host: 'b', room: 2 },
    ],
    enough: true,
  })
  for (const host of ['a', 'a', 'b']) slots.take(host)
  expect(slots.roomsFor(['a', 'b', 'c', 'd'])).toEqual({
    rooms: [
      { host: 'b', room: 1 },
      { host: 'c', room: 1 },
    ],
    enough: false,
  })
})

test('a slot that is given back is there again', () => {
  const slots = createHostSlots({ total: 1, perHost: 1 })
  slots.take('a')
  expect(slots.isFull()).toBe(true)
  expect(slots.roomsFor(['b'])).toEqual({ rooms: [], enough: false })
  slots.giveBack('a')
  expect(slots.isFull()).toBe(false)
  expect(slots.roomsFor(['b'])).toEqual({ rooms: [{ host: 'b', room: 1 }], enough: true })
})
