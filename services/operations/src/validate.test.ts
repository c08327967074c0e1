/** The boundary of a key's life, which no clock of a running service hits. */

import { expect, test } from 'vitest'
import type { KeyRow } from './store/keys.ts'
import { validateKey } from './validate.ts'

test('a key is valid until the moment at which it expires, and not at that moment', () => {
  const expires_at = new Date('2026-11-20T12:00:00.000Z')
  const found = { request_hash: 'equal', expires_at } as KeyRow
  const typeAt = (ms: number) => validateKey('equal', found, new Date(expires_at.getTime() + ms)).type
  expect([typeAt(-1), typeAt(0), typeAt(1)]).toEqual(['replayed', 'expired', 'expired'])
})
