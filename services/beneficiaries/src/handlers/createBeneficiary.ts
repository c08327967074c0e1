/**
 * POST /v1/beneficiaries: judge, draft, ask operations to accept, answer.
 *
 * Invariants (write protocol, rules 11–14): whatever would refuse first asks for the key's verdict, because a replay
 * must not be refused; the draft with the operation id minted here is durable before acceptance is asked for; this
 * request lost only if the operation that comes back is another; the draft is seen only once acceptance is known.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { AcceptVerdict, VerdictRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { type Acceptance, routeString } from '@financial-agents/contract/route'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import { askAccept, askVerdict, nothingAccepted, replayOf } from '../accept.ts'
import { type CreateBody, checkBody } from '../check-body.ts'
import type { DraftCandidate, TakenDraft } from '../draft-store.ts'
import { maskDetails } from '../masks.ts'
import type { Parts } from '../parts.ts'

const route = routeString(beneficiariesRoutes.createBeneficiary)
/** Each is lost only to a sweep that voided the draft in between. */
const maxAttempts = 3
/** Kept back from the caller's patience, so that our answer is there before it gives up. */
const answerMarginMs = 150

type Creation = {
  keyed: VerdictRequest
  body: CreateBody
  context: HandlerContext
  /** What is left for a call. @throws Problem where nothing is: nothing has been accepted yet */
  leftMs: () => number
}

export function createBeneficiary(parts: Parts): Handlers<typeof beneficiariesRoutes>['createBeneficiary'] {
  return async ({ body }, context) => {
    const creation = toCreation(body, context)
    const judged = await judge(parts, creation).catch((refusal) => refuse(parts, creation, refusal))
    if ('replay' in judged) return judged.replay
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const candidate = toCandidate(creation, judged.schema)
      const taken = await take(parts, candidate).catch((refusal) => refuse(parts, creation, refusal))
      if (taken === null) continue
      if ('replay' in taken) return taken.replay
      const acceptance = taken.decided
        ? await meetDecided(parts, creation, taken)
        : await accept(parts, creation, taken)
      if (acceptance) return acceptance
    }
    throw nothingAccepted(new Error('every draft was void before it was accepted'))
  }
}

function toCreation(body: CreateBody, context: HandlerContext): Creation {
  const endsAt = performance.now() + context.timeoutMs - answerMarginMs
  return {
    keyed: { route, ...context.idempotency, principal: context.principal },
    body,
    context,
    leftMs: () => {
      const leftMs = Math.floor(endsAt - performance.now())
      if (leftMs <= 0) throw nothingAccepted(new Error('no time was left'))
      return leftMs
    },
  }
}

async function judge(parts: Parts, { body, context }: Creation): Promise<{ schema: PayoutSchema }> {
  return checkBody(body, await parts.providerReads.getPayoutSchemas(context))
}

/** The key's verdict comes before the refusal. */
async function refuse(parts: Parts, creation: Creation, refusal: unknown): Promise<{ replay: Acceptance }> {
  const replay = replayOf(await askVerdict(parts.bus, creation.keyed, messageContext(creation)))
  if (!replay) throw refusal
  return { replay }
}

function take(parts: Parts, candidate: DraftCandidate): Promise<TakenDraft | null> {
  return parts.drafts.take(candidate).catch((error) => {
    throw nothingAccepted(error)
  })
}

function toCandidate({ keyed, body }: Creation, schema: PayoutSchema): DraftCandidate {
  const { nickname = null, purpose_code = null, is_external = false } = body
  return {
    id: randomUUIDv7(),
    operation_id: randomUUIDv7(),
    owner_id: keyed.principal.owner_id,
    client_id: keyed.principal.client_id,
    route,
    idempotency_key: keyed.key,
    request_hash: keyed.request_hash,
    name: body.name,
    nickname,
    country: body.country,
    currency: body.currency,
    payout_schema_id: body.payout_schema_id,
    is_external,
    purpose_code,
    masked_details: maskDetails(schema, body.details),
  }
}

/** An equal request was accepted before: the key says what becomes of this one. */
async function meetDecided(parts: Parts, creation: Creation, taken: TakenDraft): Promise<Acceptance | undefined> {
  const replay = replayOf(await askVerdict(parts.bus, creation.keyed, messageContext(creation)))
  if (!replay) await parts.drafts.recordKeyReleased(taken.operation_id)
  return replay
}

async function accept(parts: Parts, creation: Creation, taken: TakenDraft): Promise<Acceptance | undefined> {
  const verdict = await askAccept(parts.bus, toAcceptRequest(parts, creation, taken), messageContext(creation))
  await settle(parts, taken, verdict)
  if (verdict.type === 'void') return undefined
  return verdict.type === 'accepted' ? { operation: verdict.operation, replayed: false } : replayOf(verdict)
}

function toAcceptRequest(parts: Parts, { keyed, body, context }: Creation, taken: TakenDraft) {
  const payload = {
    name: body.name,
    nickname: body.nickname ?? null,
    country: body.country,
    currency: body.currency,
    payout_schema_id: body.payout_schema_id,
    details: body.details,
    is_external: body.is_external ?? false,
    purpose_code: body.purpose_code ?? null,
  }
  return {
    ...keyed,
    operation_id: taken.operation_id,
    kind: 'beneficiary_create',
    resource_id: taken.id,
    mandate_id: null,
    payload_sealed: parts.payloadSealer
      .seal(Buffer.from(JSON.stringify(payload)), taken.operation_id)
      .toString('base64'),
    traceparent: context.traceparent,
  } as const
}

/**
 * The draft follows the verdict: this request lost only if the operation that came back is another, and a verdict that
 * refuses has ruled the offered id out. A failure here is not the client's: what was accepted is, and the sweep repairs
 * the row.
 */
async function settle(parts: Parts, taken: TakenDraft, verdict: AcceptVerdict): Promise<void> {
  const accepted = verdict.type === 'accepted' || verdict.type === 'replayed' ? verdict.operation.id : undefined
  try {
    if (accepted === taken.operation_id) await parts.drafts.recordPending(taken.operation_id)
    else await parts.drafts.recordVoid(taken.operation_id)
  } catch (error) {
    parts.log.warn({ err: error, operation_id: taken.operation_id }, 'a draft is left to the sweep')
  }
}

function messageContext({ context, leftMs }: Creation) {
  return { requestId: context.requestId, traceparent: context.traceparent, timeoutMs: leftMs() }
}
