/**
 * A keyed write, from its parsed request to the answer: judge, draft, ask operations to accept, answer.
 *
 * Invariants (write protocol, rules 11–14): whatever would refuse first asks for the key's verdict, because a replay must not
 * be refused; the draft with the operation id minted here is durable before acceptance is asked for; this request lost only
 * if the operation that comes back is another; the draft is seen only once acceptance is known.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { AcceptRequest, AcceptVerdict, Payment, VerdictRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { askAccept, askVerdict, nothingAccepted, replayOf } from './ask-operations.ts'
import type { TakenWrite } from './store.ts'
import type { Draft, WriteKind } from './write.ts'
import type { Taken, Writes } from './writes.ts'

/** Each is lost only to a sweep that voided the draft in between. */
const maxAttempts = 3
/** Kept back from the caller's patience, so that our answer is there before it gives up. */
const answerMarginMs = 150

export type PerformParts = {
  bus: Bus
  log: Log
  writes: Writes
  /** Seals what is to be submitted in the context of the operation id; nothing in an area opens it. */
  payloadSealer: Pick<Sealer, 'seal'>
}

/** A payment before its reference is sealed; null where there is none. */
export type JudgedPayment = Omit<Payment, 'reference_sealed'> & { reference: string | null }

/** What a request comes to once nothing refuses it. */
export type Judged<Input> = {
  /** The resource that the write is about; one of its own where it makes one. */
  resource_id?: string
  input: Input
  /** What the provider is to be told, in the contract's words. */
  payload: Readonly<Record<string, unknown>>
  /** The mandate whose fence stops the operation, where one does. */
  mandate_id?: string | null
  /** The provider's own reference of what the kind names (a beneficiary, mandate or card). */
  target_reference?: string | null
  /** The owner's confirmation that the request named, to be consumed with the acceptance. */
  confirmation?: AcceptRequest['confirmation']
  /** Of a kind that pays. */
  payment?: JudgedPayment
  /**
   * Judges the undecided draft of an equal request, which this one is about to join: it may have been drafted at another
   * time. @throws Problem what refuses
   */
  checkJoined?: (taken: TakenWrite) => Promise<void>
}

/** Of the context of a handler, what a write needs; the disconnect brings a key of its own making. */
export type WriteContext = Pick<HandlerContext, 'principal' | 'idempotency' | 'requestId' | 'traceparent' | 'timeoutMs'>

type Write<Input> = {
  kind: WriteKind<Input>
  keyed: VerdictRequest
  context: WriteContext
  /** What is left for a call. @throws Problem where nothing is: nothing has been accepted yet */
  leftMs: () => number
}

/**
 * Performs one request of a keyed route. `judge` throws whatever refuses it.
 * @throws Problem the refusal, that of the confirmation included; or service_unavailable, acceptance_unknown, idempotency_key_conflict, idempotency_key_expired
 */
export async function performWrite<Input>(
  parts: PerformParts,
  kind: WriteKind<Input>,
  context: WriteContext,
  judge: () => Judged<Input> | Promise<Judged<Input>>,
): Promise<Acceptance> {
  const write: Write<Input> = {
    kind,
    keyed: { route: kind.route, ...context.idempotency, principal: context.principal },
    context,
    leftMs: patienceOf(context),
  }
  const judged = await Promise.resolve()
    .then(judge)
    .then((given) => ({ given }))
    .catch((refusal: unknown) => refuse(parts, write, refusal))
  if ('replay' in judged) return judged.replay
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const taken = await takeOrJoin(parts, write, judged.given).catch((refusal: unknown) =>
      refuse(parts, write, refusal),
    )
    if ('replay' in taken) return taken.replay
    const acceptance = taken.decided
      ? await meetDecided(parts, write, taken)
      : await accept(parts, write, judged.given, taken)
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

/** The key's verdict comes before the refusal. */
async function refuse<Input>(
  parts: PerformParts,
  write: Write<Input>,
  refusal: unknown,
): Promise<{ replay: Acceptance }> {
  const replay = replayOf(await askVerdict(parts.bus, write.keyed, messageContext(write)))
  if (!replay) throw refusal
  return { replay }
}

/** Again as often as the row that stood in the way is gone before it can be joined: an equal request took it back. */
async function takeOrJoin<Input>(parts: PerformParts, write: Write<Input>, judged: Judged<Input>): Promise<TakenWrite> {
  for (;;) {
    const taken = await take(parts, write, judged)
    if (taken) return taken
    write.leftMs()
  }
}

/** @throws Problem what the draft's own resources refuse */
async function take<Input>(
  { writes }: PerformParts,
  { kind, keyed }: Write<Input>,
  { input, resource_id, checkJoined }: Judged<Input>,
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
  const taken: Taken | null = await writes.take(draft).catch((error: unknown): never => {
    throw nothingAccepted(error)
  })
  if (taken && 'refused' in taken) throw taken.refused
  if (taken && !taken.decided && taken.operation_id !== draft.operation_id) await checkJoined?.(taken)
  return taken
}

/** An equal request was accepted before: the key says what becomes of this one. */
async function meetDecided<Input>(
  parts: PerformParts,
  write: Write<Input>,
  taken: TakenWrite,
): Promise<Acceptance | undefined> {
  const replay = replayOf(await askVerdict(parts.bus, write.keyed, messageContext(write)))
  if (!replay) await parts.writes.releaseKey(taken.operation_id)
  return replay
}

async function accept<Input>(
  parts: PerformParts,
  write: Write<Input>,
  { payload, mandate_id = null, target_reference = null, confirmation = null, payment }: Judged<Input>,
  taken: TakenWrite,
): Promise<Acceptance | undefined> {
  const seal = (text: string, context: string) =>
    parts.payloadSealer.seal(Buffer.from(text), context).toString('base64')
  const request = {
    ...write.keyed,
    operation_id: taken.operation_id,
    kind: write.kind.kind,
    resource_id: taken.resource_id,
    mandate_id,
    target_reference,
    confirmation,
    payment: payment ? sealReference(payment, (reference) => seal(reference, taken.resource_id)) : null,
    payload_sealed: seal(JSON.stringify(payload), taken.operation_id),
    traceparent: write.context.traceparent,
  }
  const verdict = await askAccept(parts.bus, request, messageContext(write))
  await settle(parts, taken, verdict)
  if (verdict.type === 'void') return undefined
  if (verdict.type === 'refused') throw new Problem(verdict.code, 'detail' in verdict ? { detail: verdict.detail } : {})
  return verdict.type === 'accepted' ? { operation: verdict.operation, replayed: false } : replayOf(verdict)
}

function sealReference({ reference, ...payment }: JudgedPayment, seal: (reference: string) => string): Payment {
  return { ...payment, reference_sealed: reference === null ? null : seal(reference) }
}

/**
 * The draft follows the verdict: this request lost only if the operation that came back is another, and a verdict that
 * refuses has ruled the offered id out. A failure here is not the client's: what was accepted is, and the sweep repairs
 * the row.
 */
async function settle({ writes, log }: PerformParts, { operation_id }: TakenWrite, verdict: AcceptVerdict) {
  const accepted = verdict.type === 'accepted' || verdict.type === 'replayed' ? verdict.operation.id : undefined
  try {
    await writes.settle(operation_id, accepted === operation_id ? 'accepted' : 'void')
  } catch (error) {
    log.warn({ err: error, operation_id }, 'a draft is left to the sweep')
  }
}

function messageContext<Input>({ context, leftMs }: Write<Input>) {
  return { requestId: context.requestId, traceparent: context.traceparent, timeoutMs: leftMs() }
}
