import { memoryStore } from '@financial-agents/client'
import { expect, test } from 'vitest'
import { draftsIn, expiresAt, intentOf, stateOf } from './drafts.ts'

const payment = { beneficiary_id: 'b', amount: '1.00', currency: 'EUR' }
const minute = 60_000

function draftsAt(start: number) {
  const clock = { now: start }
  return { clock, drafts: draftsIn(memoryStore(), () => clock.now) }
}

test('equal payments are two drafts with two intents, each the same for good', async () => {
  const { drafts } = draftsAt(0)
  const [one, two] = [await drafts.prepare(payment), await drafts.prepare(payment)]
  expect(one.handle).toMatch(/^draft_[2-9a-z]{27}$/)
  expect(intentOf(one)).not.toBe(intentOf(two))
  const read = await drafts.get(one.handle)
  expect(read && intentOf(read)).toBe(intentOf(one))
  expect((await drafts.open()).map(({ handle }) => handle)).toEqual([two.handle, one.handle])
})

test('a draft that nobody submits ends after 15 minutes', async () => {
  const { clock, drafts } = draftsAt(1_000)
  const draft = await drafts.prepare(payment)
  expect(expiresAt(draft)).toBe(new Date(1_000 + 15 * minute).toISOString())
  expect(stateOf(draft, 1_000 + 15 * minute - 1)).toBe('open')
  expect(stateOf(draft, 1_000 + 15 * minute)).toBe('expired')
  // The clock was set back, so the age of the draft is unknown.
  expect(stateOf(draft, 1_000 - 15 * minute)).toBe('expired')
  clock.now += 16 * minute
  expect(await drafts.open()).toEqual([])
})

test('a draft that may have been sent is followed for 23 hours, and an accepted one for good', async () => {
  const { drafts } = draftsAt(0)
  const draft = { ...(await drafts.prepare(payment)), startedAtMs: 14 * minute }
  expect(stateOf(draft, 16 * minute)).toBe('sent')
  expect(stateOf(draft, 14 * minute + 23 * 60 * minute)).toBe('unresolved')
  expect(stateOf({ ...draft, operationId: 'o' }, 400 * 24 * 60 * minute)).toBe('accepted')
})

test('a refused draft is open for 15 minutes, and never again one that was not sent', async () => {
  const { drafts } = draftsAt(0)
  const draft = { ...(await drafts.prepare(payment)), startedAtMs: minute, refusedAtMs: 2 * minute }
  expect(stateOf(draft, 14 * minute)).toBe('open')
  expect(stateOf(draft, 15 * minute)).toBe('refused')
  expect(stateOf({ ...draft, operationId: 'o' }, 15 * minute)).toBe('accepted')
})

test('old drafts are forgotten, but for those that may have been sent', async () => {
  const { clock, drafts } = draftsAt(0)
  const [unsent, sent] = [await drafts.prepare(payment), await drafts.prepare(payment)]
  await drafts.save({ ...sent, startedAtMs: 1 })
  clock.now = 20 * minute
  for (let made = 0; made < 100; made += 1) await drafts.prepare(payment)
  expect(await drafts.get(unsent.handle)).toBeUndefined()
  expect(await drafts.get(sent.handle)).toBeDefined()
})
