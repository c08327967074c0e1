/**
 * Performs a keyed write, from the parsed request to the answer: validates the request, drafts the write, asks operations
 * to accept it, and answers.
 *
 * Invariants (write protocol, rules 11–14): before any refusal, the key's result is requested, because a replay must
 * not be refused. The draft is durable, with the operation id generated here, before operations is asked to accept it.
 * This request lost only if operations returns another operation. Reads show the draft only after acceptance is known.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { AcceptRequest, AcceptResult, Payment, ResultRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { askAccept, askResult, nothingAccepted, replayOf } from './ask-operations.ts'
import type { TakenWrite } from './store.ts'
import type { Draft, WriteKind } from './write.ts'
import type { TakeResult, Writes } from './writes.ts'

/** An attempt fails only if a background job voided the draft in between. */
const maxAttempts = 3
/** Subtracted from the caller's time-out, so that our answer arrives before the caller gives up. */
const answerMarginMs = 150

export type PerformDependencies = {
  bus: Bus
  log: Log
  writes: Writes
  /** Seals the payload in the context of the operation id. An area never opens payloads. */
  payloadSealer: Pick<Sealer, 'seal'>
}

/** A payment before its reference is sealed. `reference` is null if the payment has none. */
export type ValidatedPayment = Omit<Payment, 'reference_sealed'> & { reference: string | null }

/** The result of a decision that does not refuse the request. */
export type WriteDraft<Input> = {
  /** The resource that the write changes; absent if the write creates its own. */
  resource_id?: string
  input: Input
  /** The payload for the provider, in the contract's words. */
  payload: Readonly<Record<string, unknown>>
  /** The mandate whose fence can stop the operation, if there is one. */
  mandate_id?: string | null
  /** The time after which nothing may be sent under the mandate. RFC 3339. */
  mandate_ends_at?: string | null
  /** The provider's reference of the existing object that the kind names (a beneficiary, mandate or card). */
  target_reference?: string | null
  /** The owner's confirmation that the request names. Acceptance consumes it. */
  confirmation?: AcceptRequest['confirmation']
  /** Present if the kind pays. */
  payment?: ValidatedPayment
  /**
   * Validates an undecided draft of an equal request before this request joins it, because time has passed since it was
   * drafted.
   * @throws Problem if the draft must be refused now
   */
  checkJoined?: (taken: TakenWrite) => Promise<void>
}

/** The part of a handler's context that a write needs. The disconnect makes a key of its own. */
export type WriteContext = Pick<HandlerContext, 'principal' | 'idempotency' | 'requestId' | 'traceparent' | 'timeoutMs'>

type Write<Input> = {
  kind: WriteKind<Input>
  keyed: ResultRequest
  context: WriteContext
  /** The time left for calls, in milliseconds. @throws Problem if none is left: nothing has been accepted yet */
  leftMs: () => number
}

/**
 * Performs one request of a keyed route. `validate` throws the problem that refuses the request.
 * @throws Problem the refusal, including that of the confirmation; or service_unavailable, acceptance_unknown,
 *   idempotency_key_conflict, idempotency_key_expired
 */
export async function performWrite<Input>(
  dependencies: PerformDependencies,
  kind: WriteKind<Input>,
  context: WriteContext,
  validate: () => WriteDraft<Input> | Promise<WriteDraft<Input>>,
): Promise<Acceptance> {
  const write: Write<Input> = {
    kind,
    keyed: { route: kind.route, ...context.idempotency, principal: context.principal },
    context,
    leftMs: patienceOf(context),
  }
  const validated = await Promise.resolve()
    .then(() => dependencies.writes.checkOffered(kind.kind, context))
    .then(validate)
    .then((given) => ({ given }))
    .catch((refusal: unknown) => refuse(dependencies, write, refusal))
  if ('replay' in validated) return validated.replay
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const taken = await takeOrJoin(dependencies, write, validated.given).catch((refusal: unknown) =>
      refuse(dependencies, write, refusal),
    )
    if ('replay' in taken) return taken.replay
    const acceptance = taken.decided
      ? await meetDecided(dependencies, write, taken)
      : await accept(dependencies, write, validated.given, taken)
    if (acceptance) return acceptance
  }
  throw nothingAccepted(new Error('every draft was void before it was accepted'))
}

function patienceOf(context: WriteContext): () => number {
  const endsAt = performance.now() + context.timeoutMs - answerMarginMs
  return () => {
    const leftMs = Math.floor(endsAt - performance.now())
    if (leftMs <= 0) throw nothingAccepted(new Error('no time was left'))
    return leftMs
  }
}

/** Asks for the key's result before it refuses: a replay is returned, and only a new key gets the refusal. */
async function refuse<Input>(
  dependencies: PerformDependencies,
  write: Write<Input>,
  refusal: unknown,
): Promise<{ replay: Acceptance }> {
  const replay = replayOf(await askResult(dependencies.bus, write.keyed, messageContext(write)))
  if (!replay) throw refusal
  return { replay }
}

/**
 * Tries again if the row in the way was removed before this request could join it: the equal request was refused
 * meanwhile.
 */
async function takeOrJoin<Input>(
  dependencies: PerformDependencies,
  write: Write<Input>,
  validated: WriteDraft<Input>,
): Promise<TakenWrite> {
  for (;;) {
    const taken = await take(dependencies, write, validated)
    if (taken) return taken
    write.leftMs()
  }
}

/** @throws Problem if the draft's own resources refuse it */
async function take<Input>(
  { writes }: PerformDependencies,
  { kind, keyed }: Write<Input>,
  { input, resource_id, checkJoined }: WriteDraft<Input>,
): Promise<TakenWrite | null> {
  const draft: Draft<Input> = {
    operation_id: randomUUIDv7(),
    kind: kind.kind,
    resource_id: resource_id ?? randomUUIDv7(),
    owner_id: keyed.principal.owner_id,
    client_id: keyed.principal.client_id,
    route: kind.route,
    idempotency_key: keyed.key,
    request_hash: keyed.request_hash,
    input,
  }
  const taken: TakeResult | null = await writes.take(draft).catch((error: unknown): never => {
    throw nothingAccepted(error)
  })
  if (taken && 'refused' in taken) throw taken.refused
  if (taken && !taken.decided && taken.operation_id !== draft.operation_id) await checkJoined?.(taken)
  return taken
}

/** An equal request was decided before. The key's result decides this one. */
async function meetDecided<Input>(
  dependencies: PerformDependencies,
  write: Write<Input>,
  taken: TakenWrite,
): Promise<Acceptance | undefined> {
  const replay = replayOf(await askResult(dependencies.bus, write.keyed, messageContext(write)))
  if (!replay) await dependencies.writes.releaseKey(taken.operation_id)
  return replay
}

async function accept<Input>(
  dependencies: PerformDependencies,
  write: Write<Input>,
  {
    payload,
    mandate_id = null,
    mandate_ends_at = null,
    target_reference = null,
    confirmation = null,
    payment,
  }: WriteDraft<Input>,
  taken: TakenWrite,
): Promise<Acceptance | undefined> {
  const seal = (text: string, context: string) =>
    dependencies.payloadSealer.seal(Buffer.from(text), context).toString('base64')
  const request = {
    ...write.keyed,
    operation_id: taken.operation_id,
    kind: write.kind.kind,
    resource_id: taken.resource_id,
    mandate_id,
    mandate_ends_at,
    target_reference,
    confirmation,
    payment: payment ? sealReference(payment, (reference) => seal(reference, taken.resource_id)) : null,
    payload_sealed: seal(JSON.stringify(payload), taken.operation_id),
    traceparent: write.context.traceparent,
  }
  const result = await askAccept(dependencies.bus, request, messageContext(write))
  await settle(dependencies, taken, result)
  if (result.type === 'void') return undefined
  if (result.type === 'refused') throw new Problem(result.code, 'detail' in result ? { detail: result.detail } : {})
  return result.type === 'accepted' ? { operation: result.operation, replayed: false } : replayOf(result)
}

function sealReference({ reference, ...payment }: ValidatedPayment, seal: (reference: string) => string): Payment {
  return { ...payment, reference_sealed: reference === null ? null : seal(reference) }
}

/**
 * Settles the draft by the result. It is void unless the result names its operation, because a refusing result rules
 * out the offered id. An error here must not fail the request: acceptance stands, and the background job repairs the row.
 */
async function settle({ writes, log }: PerformDependencies, { operation_id }: TakenWrite, result: AcceptResult) {
  const accepted = result.type === 'accepted' || result.type === 'replayed' ? result.operation.id : undefined
  try {
    await writes.settle(operation_id, accepted === operation_id ? 'accepted' : 'void')
  } catch (error) {
    log.warn({ err: error, operation_id }, 'a draft is left to the background job')
  }
}

function messageContext<Input>({ context, leftMs }: Write<Input>) {
  return { requestId: context.requestId, traceparent: context.traceparent, timeoutMs: leftMs() }
}
