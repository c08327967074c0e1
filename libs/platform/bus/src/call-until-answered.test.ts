/** Repeated calls, and subjects that every process of a service answers: a frozen process delays no caller. */

import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callUntilAnswered } from './call-until-answered.ts'
import type { Bus } from './connect.ts'
import { NoResponders, TimedOut } from './errors.ts'
import { serveCall } from './rpc.ts'
import { createLostAnswers } from './testing/lost-answers.ts'
import { startTestNats, type TestNats } from './testing/nats.ts'

const log = createLog({ service: 'test', level: 'silent' })
const fence = { target: 'grant', target_id: 'one', reason: 'test', version: 1 } as const
const never = () => new Promise<never>(() => {})
let nats: TestNats
let authz: Bus
const lostAnswers = createLostAnswers('int.submitter.fence')

beforeAll(async () => {
  nats = await startTestNats()
  authz = lostAnswers.on(await nats.connect('authz'))
})
afterAll(() => nats.stop())

/** Starts a replica of the submitter. `asked` collects the requests that it received. */
async function startReplica(answer: (times: number) => Promise<{ open_operation_ids: string[] }>) {
  const bus = await nats.connect('submitter')
  const asked: unknown[] = []
  serveCall(bus, 'int.submitter.fence', (request) => answer(asked.push(request)), { log, queue: null })
  await bus.check()
  // A drain would wait for handlers that never end.
  return { asked, stop: () => bus.connection.close() }
}
const confirm = async () => ({ open_operation_ids: ['claimed before'] })
const ask = (patienceMs: number, bus = authz) => callUntilAnswered(bus, 'int.submitter.fence', fence, patienceMs)

test('of two replicas that both hear it, the one that lives answers the first attempt', async () => {
  const [frozen, living] = [await startReplica(never), await startReplica(confirm)]
  expect(await ask(20_000)).toEqual({ open_operation_ids: ['claimed before'] })
  await expect.poll(() => [frozen.asked, living.asked]).toEqual([[fence], [fence]])
  await Promise.all([frozen.stop(), living.stop()])
})

test('what got no answer, or a failure, is asked again until it is answered', async () => {
  const one = await startReplica((times) => {
    if (times === 1) return lostAnswers.lose()
    return times === 2 ? Promise.reject(new Error('not now')) : confirm()
  })
  expect(await ask(20_000)).toEqual({ open_operation_ids: ['claimed before'] })
  expect(one.asked).toHaveLength(3)
  await one.stop()
})

test('where nobody answers in time the last attempt says why', async () => {
  const hurried = await nats.connect('authz', { graceMs: 0 })
  // The server may not have noticed yet that the last replica is gone.
  await expect.poll(() => ask(3_000, hurried).catch((error) => error)).toBeInstanceOf(NoResponders)
  const frozen = await startReplica(never)
  await expect(ask(200, hurried)).rejects.toThrow(TimedOut)
  await frozen.stop()
})
