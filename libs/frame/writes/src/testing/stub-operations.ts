/**
 * Plays operations on a real bus, in memory: keys, decisions and operations follow the write protocol. Tests can make
 * it silent, slow or forgetful. The service under test talks to it only over the bus.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type {
  AcceptRequest,
  AcceptResult,
  DecideResponse,
  KeyResult,
  Refusal,
  ResultRequest,
} from '@financial-agents/bus/messages/operations'
import { serveCall } from '@financial-agents/bus/rpc'
import { createLostAnswers } from '@financial-agents/bus/testing/lost-answers'
import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import { Problem } from '@financial-agents/contract/problem'
import type { ConfirmationProblem } from '@financial-agents/contract/problem-catalogue'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { createLog } from '@financial-agents/runtime/log'

type KeyRecord = { hash: string; operationId: string; expired: boolean }

/** The requests and decisions so far, which a test can read and change. */
export type StubOperations = {
  keys: Map<string, KeyRecord>
  decisions: Map<string, boolean>
  operations: Map<string, Operation>
  asked: AcceptRequest[]
  /** The provider's facts about a resource, as `decide` returns them, by operation id. */
  facts: Map<string, { upstream_reference: string | null; resource: Readonly<Record<string, string>> | null }>
  validateConfirmation: (request: AcceptRequest) => ConfirmationProblem | undefined
  /** The detail of the refusal if the day's limit has no room for the request's payment. */
  validatePayment: (request: AcceptRequest) => string | undefined
  /** Awaited before an accept request is processed; `beforeAnswer` is awaited before its answer is sent. */
  beforeAccept: (request: AcceptRequest) => Promise<void>
  beforeAnswer: (request: AcceptRequest) => Promise<void>
  /** Operations on which `decide` says nothing. */
  leftOut: Set<string>
}

export const never = () => new Promise<void>(() => {})
const atOnce = async () => {}

/** The answers to `accept` that a test withholds from the service. `lose` is for `beforeAccept` and `beforeAnswer`. */
export const createLostAcceptances = () => createLostAnswers('int.operations.accept')

export function keyOf(request: ResultRequest): string {
  return [request.principal.owner_id, request.principal.client_id, request.route, request.key].join(' ')
}

/** Answers result, accept and decide as the bus user `operations`. */
export function stubOperations(bus: Bus): StubOperations {
  const played: StubOperations = {
    keys: new Map(),
    decisions: new Map(),
    operations: new Map(),
    facts: new Map(),
    validateConfirmation: () => undefined,
    validatePayment: () => undefined,
    asked: [],
    beforeAccept: atOnce,
    beforeAnswer: atOnce,
    leftOut: new Set(),
  }
  const log = createLog({ service: 'operations', level: 'silent' })
  serveCall(bus, 'int.operations.result', async (request) => resultOf(played, request), { log })
  serveCall(
    bus,
    'int.operations.accept',
    async (request) => {
      played.asked.push(request)
      await played.beforeAccept(request)
      const result = accept(played, request)
      await played.beforeAnswer(request)
      return result
    },
    { log },
  )
  serveCall(bus, 'int.operations.decide', async ({ operation_ids }) => decide(played, operation_ids), { log })
  return played
}

function resultOf({ keys, operations }: StubOperations, request: ResultRequest): KeyResult {
  const record = keys.get(keyOf(request))
  if (!record) return { type: 'new' }
  if (record.expired) return { type: 'expired' }
  if (record.hash !== request.request_hash) return { type: 'conflict' }
  return { type: 'replayed', operation: operations.get(record.operationId) as Operation }
}

function accept(played: StubOperations, request: AcceptRequest): AcceptResult {
  const id = request.operation_id
  const result = resultOf(played, request)
  if (result.type !== 'new') {
    if (!played.decisions.has(id)) played.decisions.set(id, false)
    // A result would say that nothing was accepted under this id, so the refusal is a Problem.
    if (result.type === 'expired' && played.decisions.get(id)) throw new Problem('idempotency_key_expired')
    return result
  }
  const refusal = validate(played, request)
  if (refusal) {
    played.decisions.set(id, false)
    return { type: 'refused', ...refusal }
  }
  if (played.decisions.get(id) === false) return { type: 'void' }
  played.decisions.set(id, true)
  played.keys.set(keyOf(request), { hash: request.request_hash, operationId: id, expired: false })
  const operation = newOperation(id, request.resource_id, request.kind)
  played.operations.set(id, operation)
  return { type: 'accepted', operation: { ...operation } }
}

function validate(played: StubOperations, request: AcceptRequest): Refusal | undefined {
  const code = played.validateConfirmation(request)
  if (code) return { code }
  const detail = played.validatePayment(request)
  return detail === undefined ? undefined : { code: 'grant_ceiling_exceeded', detail }
}

function decide({ decisions, operations, facts, leftOut }: StubOperations, ids: readonly string[]): DecideResponse {
  return ids
    .filter((id) => !leftOut.has(id))
    .map((operation_id) => {
      if (!decisions.has(operation_id)) decisions.set(operation_id, false)
      const operation = operations.get(operation_id)
      return operation
        ? {
            operation_id,
            state: operation.state,
            sequence: operation.state === 'accepted' ? 1 : 3,
            upstream_reference: facts.get(operation_id)?.upstream_reference ?? null,
            resource: facts.get(operation_id)?.resource ?? null,
          }
        : { operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null }
    })
}

/** Gives an operation its outcome, as a client reads it. No event tells the service under test of it. */
export function settleUnheard({ operations, facts }: StubOperations, id: string, state: 'succeeded' | 'failed'): void {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`operations does not know ${id}`)
  operations.set(id, { ...operation, state })
  facts.set(id, { upstream_reference: `of ${id}`, resource: null })
}

export function newOperation(id: string, resourceId: string, kind: OperationKind = 'beneficiary_create'): Operation {
  const now = new Date().toISOString()
  return {
    id,
    kind,
    state: 'accepted',
    submission_uncertain: false,
    failure_code: null,
    failure_detail: null,
    created_at: now,
    updated_at: now,
    resource_id: resourceId,
    resource_type: kindFacts[kind].resource,
    next_reconcile_at: null,
    upstream_reference: null,
  }
}
