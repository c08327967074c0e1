import { expect, test } from 'vitest'
import type { z } from 'zod'
import { routes } from './routes.ts'
import { limit } from './schemas/primitives.ts'
import { whatToSend } from './what-to-send.ts'

const wrong = [undefined, null, 1, -1, 1.5, true, '', '\u0001', 'no such thing', [], [1], {}]

/** Each part of a route's input, by name. */
function* members(): Iterable<[string, z.ZodType]> {
  for (const [name, row] of Object.entries(routes))
    for (const [part, schema] of Object.entries({ params: row.params, query: row.query, body: row.body })) {
      if (!schema) continue
      yield [`${name}.${part}`, schema]
      if (!('shape' in schema)) continue
      for (const [key, member] of Object.entries(schema.shape)) yield [`${name}.${part}.${key}`, member as z.ZodType]
    }
}

test('the message for any invalid member of a request says what to send', () => {
  const unsaid = new Set<string>()
  let refused = 0
  for (const [name, schema] of members())
    for (const value of wrong) {
      const { issues = [] } = schema.safeParse(value, { error: whatToSend }).error ?? {}
      for (const { code, message } of issues) {
        refused += 1
        if (code !== 'unrecognized_keys' && !/^(?:Send|Name) /.test(message)) unsaid.add(`${name}: ${message}`)
      }
    }
  expect([...unsaid]).toEqual([])
  expect(refused).toBeGreaterThan(500)
})

test('a limit consists of digits, is from 1 to 100, and is 50 by default', () => {
  expect(limit.parse(undefined)).toBe(50)
  expect(['1', '050', '100'].map((sent) => limit.parse(sent))).toEqual([1, 50, 100])
  for (const sent of ['', '0', '101', '1.5', '1e1', '0x10', '+5', ' 5', '-1', 'all'])
    expect(limit.safeParse(sent).success, sent).toBe(false)
})
