import { expect, test } from 'vitest'
import { operationsRoutes } from './operations.ts'

test.each([
  ['limit', '0'],
  ['resource_id', 'x'],
  ['idempotency_key', 'too short'],
  ['idempotency_key', 'x'.repeat(201)],
  ['created_after', 'yesterday'],
  ['created_after', '2026-02-30T00:00:00Z'],
])('the refusal of %s=%s says what to send', (name, value) => {
  const parsed = operationsRoutes.listOperations.query.safeParse({ [name]: value })
  expect(parsed.error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [[name], expect.stringMatching(/^Send /)],
  ])
})
