/** The counts that replicas exchange, so that a test waits until a spending is known everywhere. */

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
    /** Waits until replicas have told of so many tokens of a key in all, and the replicas of these buses have heard it. */
    heard: async (key: string, tokens: number, buses: readonly Bus[]) => {
      await expect.poll(() => heard.get(key) ?? 0, { interval: 10 }).toBe(tokens)
      await Promise.all(buses.map((other) => other.check()))
    },
  }
}
