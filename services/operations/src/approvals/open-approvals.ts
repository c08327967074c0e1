/** Creates the approvals of a process from the keys and settings of its environment. */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import { createCredentials } from '@financial-agents/provider-client/credentials'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Announce } from '../announce.ts'
import type { OperationsConfig } from '../config.ts'
import { type Approvals, createApprovals } from './approvals.ts'
import type { DueApproval } from './item.ts'

type Dependencies = { log: Log; clock: Clock; db: Database; bus: Bus; provider: Provider; announce: Announce }

/** Time to record the answer. */
const leaseMarginMs = 1_000

export function openApprovals(config: OperationsConfig, dependencies: Dependencies): Approvals {
  const { CREDENTIAL_KEYS, PAYLOAD_KEYS, CALL_TIMEOUT_MS, PROVIDER_TIMEOUT_MS, PUBLIC_BASE_URL } = config
  return createApprovals({
    ...dependencies,
    credentials: createCredentials({
      ...dependencies,
      sealer: createSealer(CREDENTIAL_KEYS),
      timeoutMs: CALL_TIMEOUT_MS,
    }),
    payloads: createSealer(PAYLOAD_KEYS),
    mayAsk: (kind) => dependencies.provider.mayAskApproval(kind),
    findStopped: createFindStopped(dependencies, CALL_TIMEOUT_MS),
    returnUrlOf: (operationId) => `${PUBLIC_BASE_URL}/approval/return/${operationId}`,
    timeoutMs: PROVIDER_TIMEOUT_MS,
    callSlots: config.APPROVAL_CALL_SLOTS,
    waitMs: config.APPROVAL_WAIT_MS,
    leaseMs: CALL_TIMEOUT_MS + PROVIDER_TIMEOUT_MS + leaseMarginMs,
    pauses: { retryMs: config.APPROVAL_RETRY_MS, longestMs: config.APPROVAL_LONGEST_MS },
    backgroundJobAfterMs: config.BACKGROUND_JOB_AFTER_MS,
  })
}

/** The submitter holds the fences. If it does not answer, the provider is asked as usual, and a claim validates the fences. */
function createFindStopped({ bus, log }: Dependencies, timeoutMs: number) {
  return async (due: readonly DueApproval[]): Promise<ReadonlySet<string>> => {
    const operations = due.map(({ operation_id, kind, grant_id, client_id, binding_id, mandate_id }) => ({
      operation_id,
      kind,
      grant_id,
      client_id,
      binding_id,
      mandate_id,
    }))
    try {
      return new Set(await call(bus, 'int.submitter.stopped', { operations }, newContext(timeoutMs)))
    } catch (error) {
      log.debug({ err: error }, 'it is not known which approvals a fence stops')
      return new Set()
    }
  }
}
