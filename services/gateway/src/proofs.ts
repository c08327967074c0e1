/**
 * DPoP at this replica: its nonces, its verifier, its record of used proofs, and the request to another replica about
 * proofs with that replica's nonces. If the other replica is gone or slow, the client needs a new nonce, and the proof
 * is never accepted.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call, serveCall } from '@financial-agents/bus/rpc'
import { createBootId, createNonces, type Nonces } from '@financial-agents/dpop/nonce'
import { createProofVerifier, type ProofVerifier } from '@financial-agents/dpop/proof'
import { createReplayCheck, createReplayRecord, type ProofUse, type UsedProof } from '@financial-agents/dpop/replay'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import type { GatewayConfig } from './config.ts'

const askWithinMs = 250
/** The lifetime of a nonce, plus the tolerance for clocks. */
const retainMs = 310_000

export type Proofs = {
  nonces: Nonces
  verifier: ProofVerifier
  checkOnce: (proof: UsedProof) => ProofUse | Promise<ProofUse>
}

export function createProofs(dependencies: { config: GatewayConfig; bus: Bus; clock: Clock; log: Log }): Proofs {
  const { config, bus, clock, log } = dependencies
  const nowMs = () => clock.nowMs()
  const nonces = createNonces({
    key: config.NONCE_KEY,
    otherKeys: config.NONCE_OTHER_KEY ? [config.NONCE_OTHER_KEY] : [],
    bootId: createBootId(),
    nowMs,
  })
  const record = createReplayRecord({ nowMs, retainMs, maxEntries: config.PROOF_RECORD_MAX_ENTRIES })
  observe(() => [['financial_agents.gateway.proof_record_fill', record.size / config.PROOF_RECORD_MAX_ENTRIES, {}]])
  serveCall(
    bus,
    `edge.proof.${nonces.bootId}`,
    async ({ replay_key, nonce_issued_at_ms }) => ({ result: record.recordOnce(replay_key, nonce_issued_at_ms) }),
    { log, queue: null },
  )
  const checkOnce = createReplayCheck({
    ownBootId: nonces.bootId,
    record,
    ask: async ({ bootId, key, nonceIssuedAtMs }) => {
      const question = { replay_key: key, nonce_issued_at_ms: nonceIssuedAtMs }
      return (await call(bus, `edge.proof.${bootId}`, question, newContext(askWithinMs))).result
    },
  })
  return { nonces, verifier: createProofVerifier({ nowMs, nonces }), checkOnce }
}
