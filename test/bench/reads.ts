/**
 * Measures a DPoP-protected read by key. Baselines: one ES256 verification in CPU time, and Express with
 * express-oauth2-jwt-bearer reading the same row for the same client. Rounds alternate, so that other work of the
 * machine affects all of them; medians count.
 */

import { createServiceClient } from '@financial-agents/testkit/client'
import type { Stack } from '@financial-agents/testkit/stack'
import { cpuMs } from './cpu.ts'
import { benchDpop } from './dpop.ts'
import type { LoadResult, LoadTask } from './load-client.ts'
import { client, load, perItemUs, report, say, scope, snapshot } from './measure.ts'
import { startPlainReader } from './plain-reader.ts'
import type { Figures } from './targets.ts'

const rounds = 5
const perRound = 6_000

type ReadTask = Extract<LoadTask, { kind: 'read' }>
type Measured = { result: LoadResult; cost: ReturnType<typeof perItemUs> }

export async function benchRead(running: Stack): Promise<Figures> {
  const task = await readTask(running)
  const plain = await startPlainReader({
    issuer: running.baseUrl,
    jwksUri: `${running.baseUrl}/oauth/jwks`,
    connectionString: running.postgres.adminUrl,
  })
  try {
    const alone = { ...task, apiUrl: plain.baseUrl }
    const count = () => ({ express: cpuMs(plain.pid), ...snapshot(running) })
    await load(task)
    await load(alone)
    const ours: Measured[] = []
    const baseline: Measured[] = []
    const verificationsUs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      verificationsUs.push(benchDpop(3).verificationUs)
      ours.push(await measure({ ...task, requests: perRound }, count))
      baseline.push(await measure({ ...alone, requests: perRound }, count))
    }
    return tell(ours, baseline, verificationsUs)
  } finally {
    plain.stop()
  }
}

/** Creates a row to read, and the load that reads it. */
export async function readTask(running: Stack): Promise<ReadTask> {
  const seeded = client(running)
  const api = await createServiceClient(seeded)
  await api.authorize(scope)
  const created = await api.request('POST', '/v1/beneficiaries', {
    key: crypto.randomUUID(),
    body: {
      name: 'Bench',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
  })
  return {
    ...seeded,
    kind: 'read',
    path: `/v1/operations/${created.body.id}`,
    concurrency: 32,
    requests: 4_000,
    warmUp: 500,
  }
}

/**
 * The load warms up and gets its tokens before it counts. CPU time is therefore read when counting starts and when it
 * ends.
 */
async function measure(task: ReadTask, count: () => Record<string, number>): Promise<Measured> {
  const counting: { before: Record<string, number> } = { before: {} }
  const result = await load({ ...task, requests: task.requests + task.warmUp }, () => {
    counting.before = count()
  })
  return { result, cost: perItemUs(counting.before, count(), result.counted) }
}

function tell(ours: Measured[], baseline: Measured[], verificationsUs: number[]): Figures {
  const best = middle(ours)
  const express = middle(baseline)
  say(`DPoP-protected read by key, 32 at once, median of ${rounds} rounds: ${perS(best).toFixed(0)}/s`)
  report(best.cost, best.result)
  say(`baseline: Express with express-oauth2-jwt-bearer (DPoP), the same row: ${perS(express).toFixed(0)}/s`)
  report(express.cost, express.result)
  const cpu = medianOf(ours.map(({ cost }, round) => cost.sum / (baseline[round] as Measured).cost.sum))
  const rate = medianOf(ours.map((one, round) => perS(one) / perS(baseline[round] as Measured)))
  const verifications = medianOf(ours.map(({ cost }, round) => cost.sum / (verificationsUs[round] as number)))
  const each = medianOf(verificationsUs).toFixed(0)
  say(`  ${verifications.toFixed(1)} × one ES256 verification (${each} CPU µs) in all processes together`)
  say(`  ${rate.toFixed(2)} × the rate of the baseline at ${cpu.toFixed(2)} × its CPU\n`)
  return { readVerifications: verifications, readRate: rate }
}

const perS = ({ result }: Measured) => (result.counted * 1_000) / result.elapsedMs
const middle = (measured: Measured[]): Measured =>
  measured.toSorted((one, other) => one.cost.sum - other.cost.sum)[Math.floor(measured.length / 2)] as Measured
const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
