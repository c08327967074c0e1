import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { listKeyTimes } from './signing-keys.ts'
import { openTestStore } from './test-store.test-helper.ts'

const store = await openTestStore()
afterAll(() => store.close())

test('keys are listed by the time from which they sign, the latest first', async () => {
  const day = (of: number) => new Date(Date.UTC(2026, 4, of))
  for (const [kid, created, signs] of [
    ['made first', 1, 9],
    ['made last', 8, 3],
  ] as const)
    await store.read(
      'INSERT INTO signing_keys (kid, private_jwk_sealed, created_at, signs_from) VALUES ($1, $2, $3, $4)',
      [kid, randomBytes(8), day(created), day(signs)],
    )
  expect(await listKeyTimes(store.db)).toEqual([
    { kid: 'made first', created_at: day(1), signs_from: day(9) },
    { kid: 'made last', created_at: day(8), signs_from: day(3) },
  ])
})
