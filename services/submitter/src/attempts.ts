/**
 * The life of one attempt: slot, preparation, claim, the one call, outcome.
 *
 * Invariants (write protocol, rules 5 and 9): an operation is claimed only with a free call slot; the provider is
 * called at most once for it, and only by the item whose own claim committed; nothing is sent after the deadline by
 * which the watchdog may have given the attempt up.
 */

import { randomUUID } from 'node:crypto'
import { isOperationKind } from '@financial-agents/contract/kinds'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import type { Slots } from '@financial-agents/runtime/slots'
import { authorityEndOf, callProvider, unwitnessedOutcome } from './call-provider.ts'
import { createClaimEvents } from './claim-events.ts'
import { createClaims } from './claims.ts'
import type { Dependencies } from './dependencies.ts'
import { noteSubmission } from './measure.ts'
import { createOutcomes } from './outcomes.ts'
import { type Content, createPreparation } from './prepare.ts'
import type { ClaimItem } from './store/claims.ts'

/** `later`: the operation could not be validated now, and nothing was decided. */
export type AttemptEnd = 'done' | 'later'

export type Attempts = {
  /** Resolves once the operation is claimed or decided, or must be tried later. */
  take(operationId: string): Promise<AttemptEnd>
  /** Stops claiming. An operation that still waits for a slot gets `later`. */
  close(): void
  /** Resolves when the outcome of every call under way is written to its row. */
  finish(): Promise<void>
}

export function createAttempts(dependencies: Dependencies, slots: Slots): Attempts {
  const { config, clock } = dependencies
  const { prepare, dropRefused } = createPreparation(dependencies)
  const events = createClaimEvents(dependencies.bus, config.CLAIM_EVENT_AFTER_MS)
  const claims = createClaims(dependencies, events)
  const outcomes = createOutcomes(dependencies, events)
  const taking = new Map<string, Promise<AttemptEnd>>()
  const calling = new Set<Promise<void>>()
  let closed = false
  observe(() => [
    ['financial_agents.submitter.calls_in_flight', calling.size, {}],
    ['financial_agents.submitter.call_slots', config.CALL_SLOTS, {}],
  ])

  async function take(operationId: string): Promise<AttemptEnd> {
    await slots.acquire()
    let handedOn = false
    try {
      if (closed) return 'later'
      const prepared = await prepare(operationId)
      if (prepared.type !== 'ready') return prepared.type === 'settled' ? 'done' : 'later'
      const { operation, content } = prepared
      const attemptId = randomUUID()
      // Taken before the lease time, so that this deadline ends before the lease does.
      const sendByMs = performance.now() + config.LEASE_MS - config.PROVIDER_TIMEOUT_MS
      const now = clock.nowMs()
      const item: ClaimItem = {
        attemptId,
        operation,
        // Without content, the provider of the operation is not known.
        supported: isOperationKind(operation.kind) && (content?.provider.supports(operation.kind) ?? true),
        sendable: content !== null,
        beforeRecovery: false,
        at: new Date(now),
        leaseUntil: new Date(now + config.LEASE_MS),
        validUntil: new Date(Math.min(now + config.SUBMISSION_VALIDITY_MS, authorityEndOf(operation))),
      }
      const claim = await claims.submit(item)
      if (claim === 'unclear' || (claim === 'none' && content === null)) return 'later'
      if (claim === 'unwitnessed') await outcomes.record(item, unwitnessedOutcome)
      if (claim !== 'won' || content === null) return 'done'
      handedOn = true
      const call = callOnce(item, content, sendByMs).finally(() => calling.delete(call))
      calling.add(call)
      return 'done'
    } finally {
      if (!handedOn) slots.release()
    }
  }

  async function callOnce(claim: ClaimItem, content: Content, sendByMs: number): Promise<void> {
    const outcome = await callProvider(dependencies, claim, content, sendByMs).finally(() => slots.release())
    noteSubmission(claim.operation.kind, outcome.type)
    dropRefused(claim.operation.binding_id, outcome)
    await outcomes.record(claim, outcome)
  }

  return {
    // A message delivered again while its operation is under way waits for the same claim.
    take: (operationId) => {
      const under = taking.get(operationId)
      if (under) return under
      const taken = take(operationId).finally(() => taking.delete(operationId))
      taking.set(operationId, taken)
      return taken
    },
    close: () => {
      closed = true
    },
    finish: async () => {
      while (calling.size > 0) await Promise.allSettled(calling)
      events.stop()
    },
  }
}
