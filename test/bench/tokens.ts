/** The token endpoint, compared with the library alone with its in-memory store, for the same work. */

import type { Stack } from '@financial-agents/testkit/stack'
import { cpuMs } from './cpu.ts'
import type { LoadTask } from './load-client.ts'
import { client, load, perItemUs, report, say, snapshot } from './measure.ts'
import { startPlainProvider } from './plain-provider.ts'
import type { Figures } from './targets.ts'

export async function benchTokens(running: Stack): Promise<Figures> {
  const task: LoadTask = { ...client(running), kind: 'token', concurrency: 32, requests: 1_000, warmUp: 0 }
  const plain = await startPlainProvider(task)
  try {
    const alone = { ...task, baseUrl: plain.baseUrl }
    await load(alone)
    const plainBefore = cpuMs(plain.pid)
    const baseline = await load({ ...alone, requests: 6_000 })
    const baselineUs = ((cpuMs(plain.pid) - plainBefore) * 1_000) / baseline.counted
    const baselinePerS = (baseline.counted * 1_000) / baseline.elapsedMs
    say(
      `baseline: oidc-provider alone, in memory: ${baselinePerS.toFixed(0)} tokens/s, ${baselineUs.toFixed(0)} CPU µs`,
    )
    await load(task)
    const before = snapshot(running)
    const result = await load({ ...task, requests: 6_000 })
    const cost = perItemUs(before, snapshot(running), result.counted)
    const perS = (result.counted * 1_000) / result.elapsedMs
    say(`token (client credentials, private_key_jwt, DPoP), 32 at once: ${perS.toFixed(0)}/s`)
    report(cost, result)
    const [cpuRatio, rateRatio] = [cost.sum / baselineUs, perS / baselinePerS]
    say(`  ${cpuRatio.toFixed(1)} × the CPU, ${rateRatio.toFixed(2)} × the rate of the library alone in memory\n`)
    return { tokenRate: rateRatio }
  } finally {
    plain.stop()
  }
}
