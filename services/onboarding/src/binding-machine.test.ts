import { expect, test } from 'vitest'
import { bindingTransitions, findNextStatus } from './binding-machine.ts'

// Copied by hand from the write protocol (rule 16) and the README; never derived from the table under test.
// biome-ignore format: a table
const oracle = {
  'null connect': 'connected',                       'connected connect': undefined,
  'disconnecting connect': undefined,                'disconnected connect': undefined,
  'null revoke_accepted': undefined,                 'connected revoke_accepted': 'disconnecting',
  'disconnecting revoke_accepted': undefined,        'disconnected revoke_accepted': undefined,
  'null revoke_settled': undefined,                  'connected revoke_settled': 'disconnected',
  'disconnecting revoke_settled': 'disconnected',    'disconnected revoke_settled': undefined,
  'null registered_away': undefined,                   'connected registered_away': 'disconnected',
  'disconnecting registered_away': undefined,          'disconnected registered_away': undefined,
  'null end_repeated': undefined,                    'connected end_repeated': 'disconnected',
  'disconnecting end_repeated': undefined,           'disconnected end_repeated': undefined,
} as const

test('a binding moves as the table of the specification says, and not otherwise', () => {
  const found = Object.keys(oracle).map((pair) => {
    const [status, event] = pair.split(' ') as [string, never]
    return [pair, findNextStatus(status === 'null' ? null : (status as never), event)]
  })
  expect(Object.fromEntries(found)).toEqual(oracle)
})

test('each pair has one row, and every event is in the specification', () => {
  const pairs = bindingTransitions.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(pairs).size).toBe(pairs.length)
  for (const pair of pairs) expect(Object.keys(oracle)).toContain(pair)
})
