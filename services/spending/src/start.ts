/** Wires the service: the route it answers, the events it takes, the sweeps it repeats. */

import { serveRoutes } from '@financial-agents/bus/rpc'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Provider } from '@financial-agents/provider/port'
import { createSealer } from '@financial-agents/runtime/sealing'
import { startWrites } from '@financial-agents/writes/writes'
import type { z } from 'zod'
import type { spendingConfig } from './config.ts'
import { createWithdrawal } from './handlers/createWithdrawal.ts'
import { createLimitsReads } from './limits-reads.ts'
import type { Parts } from './parts.ts'
import { transfer } from './withdrawal-writes.ts'

type Config = Pick<
  z.output<typeof spendingConfig>,
  | 'ENABLED_CAPABILITIES'
  | 'PROVIDER_READ_TIMEOUT_MS'
  | 'PAYLOAD_KEYS'
  | 'CREDENTIAL_KEYS'
  | 'SWEEP_PAUSE_MS'
  | 'DRAFT_DECIDE_AFTER_MS'
  | 'PENDING_PULL_AFTER_MS'
>

export type Opened = Pick<Parts, 'bus' | 'db' | 'log' | 'clock'> & { provider: Provider }

/** `stop` ends consumer and sweeps; bus, provider and database are the caller's to close, in that order. */
export function startSpending(config: Config, opened: Opened): { stop(): Promise<void> } {
  const writes = startWrites({
    ...opened,
    kinds: [transfer],
    durable: 'spending',
    draftDecideAfterMs: config.DRAFT_DECIDE_AFTER_MS,
    pendingPullAfterMs: config.PENDING_PULL_AFTER_MS,
    sweepPauseMs: config.SWEEP_PAUSE_MS,
  })
  const parts: Parts = {
    ...opened,
    writes,
    limitsReads: createLimitsReads({
      ...opened,
      credentialSealer: createSealer(config.CREDENTIAL_KEYS),
      readTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
    }),
    enabledCapabilities: config.ENABLED_CAPABILITIES,
    payloadSealer: createSealer(config.PAYLOAD_KEYS),
  }
  serveRoutes(opened.bus, spendingRoutes, { createWithdrawal: createWithdrawal(parts) }, { log: opened.log })
  return { stop: () => writes.stop() }
}
