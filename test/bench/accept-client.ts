/**
 * Sends acceptances directly over the bus, as an area service does, from a process of its own. This measures the cost
 * of a durable operation without the HTTP request and the resource. Reads one JSON task, prints one JSON result.
 */

import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@financial-agents/bus/connect'
import { call } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'

export type AcceptTask = {
  natsUrl: string
  nkeySeed: string
  payloadKeys: string
  principal: Principal
  concurrency: number
  requests: number
  /** A steady rate; if absent, as fast as the answers arrive. */
  perS?: number
}

const task = JSON.parse(process.argv[2] ?? '{}') as AcceptTask
const bus = await connectBus({
  config: { NATS_URL: task.natsUrl, NATS_NKEY_SEED: task.nkeySeed },
  name: 'beneficiaries',
  log: createLog({ service: 'bench', level: 'error' }),
})
const sealer = createSealer(sealingKeys.parse(task.payloadKeys))
const payload = Buffer.from(
  JSON.stringify({
    name: 'Load',
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
    is_external: true,
  }),
)
const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`
const beganAtMs = Date.now()
const accepted: Promise<void>[] = []
if (task.perS === undefined) {
  let sent = 0
  const sender = async () => {
    while (sent < task.requests) {
      sent += 1
      await accept()
    }
  }
  accepted.push(...Array.from({ length: task.concurrency }, sender))
} else {
  const startedAt = performance.now()
  for (let index = 0; index < task.requests; index += 1) {
    const waitMs = startedAt + (index * 1_000) / task.perS - performance.now()
    if (waitMs > 1) await delay(waitMs)
    accepted.push(accept())
  }
}
await Promise.all(accepted)
process.stdout.write(`${JSON.stringify({ beganAtMs })}\n`)
await bus.drain()
process.exit(0)

async function accept(): Promise<void> {
  const operation_id = randomUUIDv7()
  const request = {
    principal: task.principal,
    operation_id,
    kind: 'beneficiary_create',
    resource_id: randomUUIDv7(),
    mandate_id: null,
    mandate_ends_at: null,
    target_reference: null,
    confirmation: null,
    payment: null,
    route: 'POST /v1/beneficiaries',
    key: operation_id,
    request_hash: operation_id,
    payload_sealed: sealer.seal(payload, operation_id).toString('base64'),
    traceparent,
  } as const
  const result = await call(bus, 'int.operations.accept', request, {
    requestId: operation_id,
    traceparent,
    timeoutMs: 10_000,
  })
  if (result.type !== 'accepted') throw new Error(`an acceptance was answered ${result.type}`)
}
