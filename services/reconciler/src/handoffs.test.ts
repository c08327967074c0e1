/** Messages are filtered by their bytes before they are parsed. */

import { operationStates } from '@financial-agents/contract/machine'
import { expect, test } from 'vitest'
import { mayHandOff } from './handoffs.ts'

const bytesOf = (message: unknown) => new TextEncoder().encode(JSON.stringify(message))
const ending = (...states: string[]) => bytesOf({ transitions: states.map((to) => ({ from: 'submitting', to })) })

test('of all states, exactly those that hand an operation over make a message worth parsing', () => {
  expect(operationStates.filter((state) => mayHandOff(ending(state)))).toEqual(['submitted', 'indeterminate'])
  expect(mayHandOff(bytesOf({ transitions: [] }))).toBe(false)
})

test('a handoff is found among the transitions of many operations, and in a part of a larger buffer', () => {
  const message = ending(...Array.from({ length: 200 }, () => 'succeeded'), 'indeterminate')
  expect(mayHandOff(message)).toBe(true)
  const larger = new Uint8Array(message.length + 20)
  larger.set(message, 10)
  expect(mayHandOff(larger.subarray(10, 10 + message.length))).toBe(true)
  expect(mayHandOff(larger.subarray(10, 40))).toBe(false)
})
