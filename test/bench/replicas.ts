/**
 * `pnpm bench --replicas`: the CPU time of a read and of a write with several replicas of gateway, operations and submitter. All
 * run on this machine, so the rate says nothing about a cluster; the CPU time of one request does.
 */

import { getFreePort } from '@financial-agents/servers/ports'
import type { Stack } from '@financial-agents/testkit/stack'
import type { LoadTask } from './load-client.ts'
import { client, load, perItemUs, report, say, settled, snapshot } from './measure.ts'
import { readTask } from './reads.ts'

/** Services that have replicas in the measurement. */
const replicated = ['gateway', 'operations', 'submitter'] as const
/** For each replica: it opens its connections, learns the grants, and compiles its code. */
const warmUpEach = 4_000
const reads = 12_000
const writes = 8_000

type Costs = { read: number; write: number }

/** Measures with each number of replicas, in rising order. */
export async function benchReplicas(running: Stack, counts: readonly number[]): Promise<void> {
  const reading = await readTask(running)
  const found: { count: number; costs: Costs }[] = []
  for (const count of counts.toSorted((one, other) => one - other)) {
    for (const name of replicated)
      while ((running.processes.get(name)?.length ?? 0) < count)
        await running.start(name, {}, name === 'gateway' ? { port: await getFreePort() } : {})
    const addresses = (running.processes.get('gateway') ?? []).map(({ url }) => url as string)
    say(`${count} of each: ${replicated.join(', ')}`)
    const warmUp = warmUpEach * count
    const read = await measure(running, { ...reading, concurrency: 32, requests: reads, warmUp, addresses })
    const write = await measure(running, {
      ...client(running),
      kind: 'create',
      concurrency: 256,
      requests: writes,
      warmUp,
      addresses,
    })
    found.push({ count, costs: { read, write } })
  }
  const first = found[0]
  if (!first) return
  for (const { count, costs } of found)
    say(
      `${count} replicas: a read ${(costs.read / first.costs.read).toFixed(2)} ×, a write ${(costs.write / first.costs.write).toFixed(2)} × the CPU time with ${first.count}`,
    )
}

async function measure(running: Stack, task: LoadTask): Promise<number> {
  const counting: { before: Record<string, number> } = { before: {} }
  const result = await load({ ...task, requests: task.requests + task.warmUp }, () => {
    counting.before = snapshot(running)
  })
  await settled(running)
  const cost = perItemUs(counting.before, snapshot(running), result.counted)
  const perS = (result.counted * 1_000) / result.elapsedMs
  say(`${task.kind === 'read' ? 'a read by key' : 'a creation, to its end'}: ${perS.toFixed(0)}/s`)
  report(cost, result)
  return cost.sum
}
