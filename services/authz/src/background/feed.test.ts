/**
 * Changes that are published at once and changes that a background job finds form one feed: each change once, in the order of
 * commit, without a gap.
 */

import { randomUUID } from 'node:crypto'
import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeInTurn, recordChange } from '../store/changes.ts'
import { openTestStore, type TestStore } from '../store/test-store.test-helper.ts'
import { startFeed } from './feed.ts'

const log = createLog({ service: 'test', level: 'silent' })
let nats: TestNats
let store: TestStore

beforeAll(async () => {
  ;[nats, store] = await Promise.all([startTestNats(), openTestStore()])
})
afterAll(async () => {
  await nats.stop()
  await store.close()
})

test('publishNow resolves after its change is published, also during other calls and background jobs', async () => {
  const [authz, gateway] = await Promise.all([nats.connect('authz'), nats.connect('gateway')])
  const heard: GrantFeedMessage[] = []
  gateway.hear('evt.grants', (data) => heard.push(JSON.parse(Buffer.from(data).toString()) as GrantFeedMessage))
  await gateway.check()
  const feed = await startFeed({ bus: authz, db: store.db, log, pauseMs: 10 })
  const committed: string[] = []
  const change = async () => {
    const grant_id = randomUUID()
    await changeInTurn(store.db, async (tx) => {
      await recordChange(tx, { grant_id }, store.clock.now())
      committed.push(grant_id)
    })
    await feed.publishNow()
    await gateway.check()
    expect(heard.map((message) => message.change)).toContainEqual({ grant_id })
  }
  await Promise.all(Array.from({ length: 200 }, change))
  await feed.announce({ owner_id: 'one' })
  await gateway.check()
  await feed.stop()
  const changes = heard.flatMap((message) => (message.change ? [message.change] : []))
  expect(changes).toEqual([...committed.map((grant_id) => ({ grant_id })), { owner_id: 'one' }])
  expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_message, index) => index + 1))
})

test('publishNow fails if the bus does not answer', async () => {
  const own = await startTestNats({ graceMs: 0 })
  const feed = await startFeed({ bus: await own.connect('authz'), db: store.db, log, pauseMs: 1_000 })
  await own.server.stop()
  await expect(feed.publishNow()).rejects.toThrow('the bus does not answer')
  await feed.stop()
  await own.stop()
})
