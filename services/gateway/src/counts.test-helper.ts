/** Listens to the counts that replicas exchange. A test can wait until every replica knows them. */

import type { Bus } from '@financial-agents/bus/connect'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import { expect } from 'vitest'

/** Listens as one more replica. Call it before the first spending. */
export async function hearCounts(nats: TestNats) {
  const bus = await nats.connect('gateway')
  const heard = new Map<string, number>()
  bus.hear('edge.counts', (data) => {
    const { spent } = JSON.parse(Buffer.from(data).toString()) as { spent: [string, string, number][] }
    for (const [, key, tokens] of spent) heard.set(key, (heard.get(key) ?? 0) + tokens)
  })
  await bus.check()
  return {
    /**
     * Waits until the replicas have reported `tokens` spent tokens of the key in all, and the replicas on `buses` have
     * received the reports.
     */
    heard: async (key: string, tokens: number, buses: readonly Bus[]) => {
      await expect.poll(() => heard.get(key) ?? 0, { interval: 10 }).toBe(tokens)
      await Promise.all(buses.map((other) => other.check()))
    },
  }
}
