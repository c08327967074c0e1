/** Equal suspensions and revocations join one draft. None is refused because another began first. */

import { randomUUID } from 'node:crypto'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, expect, test } from 'vitest'
import { startMandates } from '../mandates/area.test-helper.ts'

const area = await startMandates()
afterAll(() => area.stop())

const actions = ['suspendMandate', 'revokeMandate'] as const

test.each(actions)(
  'fifty equal requests of %s at two replicas are one operation, and the others replays',
  async (action) => {
    const { principal, id } = await area.active()
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 50 }, () => area.act(action, principal, id, { key })))
    expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
    expect(replies.filter((reply) => !('replayed' in reply))).toHaveLength(1)
  },
)

test.each(actions)('a request of %s joins the undecided draft of an equal one that got no answer', async (action) => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  area.operations.beforeAccept = area.lostAnswers.lose
  expect(problemOf(await area.act(action, principal, id, { key })).code).toBe('acceptance_unknown')
  area.operations.beforeAccept = async () => {}
  expect(dataOf(await area.act(action, principal, id, { key })).resource_id).toBe(id)
})

test('fifty equal requests at two replicas whose confirmation is refused are each answered so', async () => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  area.operations.validateConfirmation = () => 'confirmation_expired'
  const replies = await Promise.all(Array.from({ length: 50 }, () => area.act('revokeMandate', principal, id, { key })))
  area.operations.validateConfirmation = () => undefined
  expect(replies.map((reply) => problemOf(reply).code)).toEqual(replies.map(() => 'confirmation_expired'))
  await area.see(principal, id, 'active')
})
