/**
 * The process is killed at each failpoint of approvals and started again. The area repeats its creations and the client
 * repeats its polls, as they do in production. In the end every operation has followed its owner's answer exactly once,
 * and no decision is lost.
 */

import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInsistence } from '../insistence.test-helper.ts'
import { createWorld, type World } from './world.test-helper.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ timeoutMs: 5_000, connection: { graceMs: 0 } })
})
afterAll(async () => {
  await stop()
  await world.close()
})

const { insist, doom, killed, stop } = createInsistence(() => ({
  ...world.environment,
  TEST_SCHEMA: world.schema,
  APPROVAL_JOB_PAUSE_MS: '50',
}))

const isOpen = ({ state }: { state: string }) => state === 'requires_action'

/**
 * Creates the operation and polls until the owner's answer is known. The test tells the provider the owner's answer in advance.
 */
async function carryThrough(request: AcceptRequest): Promise<string> {
  await insist(() => world.accept(request))
  return (
    await insist(
      () => world.poll(request),
      (operation) => !isOpen(operation),
    )
  ).state
}

const steps = [
  'accept.after_commit',
  'approval.before_turn',
  'approval.after_turn',
  'approval.before_job',
  'approval.after_job',
  'approval.before_started',
  'approval.after_started',
  'approval.before_outcome',
  'approval.after_outcome',
  'approval.after_publish',
]

test.each(steps)('killed at %s: what the owner decided takes effect, once', async (step) => {
  const waived = await Promise.all([world.transferOf('amara'), world.transferOf('amara')])
  const approved = await Promise.all([world.transferOf('daniel'), world.transferOf('daniel')])
  const declined = await world.transferOf('daniel')
  for (const [script, requests] of [
    ['approve', approved],
    ['decline', [declined]],
  ] as const)
    for (const { operation_id: client_reference } of requests)
      await world.provider.ask('POST', '/control/faults', { script, match: { kind: 'approval', client_reference } })
  await doom(step)
  const all = [...waived, ...approved, declined]
  const tunnelled = Promise.all(all.map(carryThrough))
  await killed()
  expect(await tunnelled).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'cancelled'])
  for (const request of all) {
    const { operation_id: id } = request
    expect(await world.historyOf(id)).toHaveLength(2)
    const accepted = request !== declined
    expect(await world.lookInto(id)).toMatchObject({ payload: accepted, action: false, open: false })
    if (accepted) await expect.poll(() => world.timesAnnounced(id)).toBeGreaterThan(0)
    else expect(world.timesAnnounced(id)).toBe(0)
  }
  const decided = await insist(() => world.decide(declined.operation_id))
  expect(decided).toMatchObject([{ state: 'cancelled', sequence: 2 }])
})
