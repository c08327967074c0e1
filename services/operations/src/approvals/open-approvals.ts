/** Opens the approvals of a process: its own connections to the provider, the keys, and the figures of its environment. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import { createAdapter } from '@financial-agents/provider-reads/adapter'
import { createCredentials } from '@financial-agents/provider-reads/credentials'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Announce } from '../announce.ts'
import type { OperationsConfig } from '../config.ts'
import { type Approvals, createApprovals } from './approvals.ts'

type Parts = { config: OperationsConfig; log: Log; clock: Clock; db: Database; bus: Bus; announce: Announce }

/** What recording the answer may take. */
const leaseMarginMs = 1_000

/** `close` after everything that may ask has stopped. */
export function openApprovals({ config, ...parts }: Parts): Approvals & { close: () => Promise<void> } {
  const { CREDENTIAL_KEYS, PAYLOAD_KEYS, CALL_TIMEOUT_MS, PROVIDER_TIMEOUT_MS, PUBLIC_BASE_URL } = config
  const provider = createAdapter({
    baseUrl: config.PROVIDER_URL,
    connections: config.APPROVAL_CALL_SLOTS,
    connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
  })
  const approvals = createApprovals({
    ...parts,
    provider,
    credentials: createCredentials({ ...parts, sealer: createSealer(CREDENTIAL_KEYS), timeoutMs: CALL_TIMEOUT_MS }),
    payloads: createSealer(PAYLOAD_KEYS),
    mayAsk: (kind) => provider.mayAskApproval(kind),
    returnUrlOf: (operationId) => `${PUBLIC_BASE_URL}/approval/return/${operationId}`,
    timeoutMs: PROVIDER_TIMEOUT_MS,
    callSlots: config.APPROVAL_CALL_SLOTS,
    waitMs: config.APPROVAL_WAIT_MS,
    leaseMs: CALL_TIMEOUT_MS + PROVIDER_TIMEOUT_MS + leaseMarginMs,
    pauses: { retryMs: config.APPROVAL_RETRY_MS, longestMs: config.APPROVAL_LONGEST_MS },
    sweepAfterMs: config.SWEEP_AFTER_MS,
  })
  return { ...approvals, close: () => provider.close() }
}
