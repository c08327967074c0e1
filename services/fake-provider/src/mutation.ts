/**
 * The course of every mutation: credentials, body, fault script, ledger, answer. A kind defines only its differences:
 * the parsing of its body, its reasons for refusal, and the record that it keeps.
 *
 * Invariant: a mutation that arrived has exactly one entry in the ledger, from its arrival on. The outcome is entered
 * before the answer or the end of the connection, so a test that has seen either finds the outcome. The deadline is
 * checked when the execution begins: nothing waits between the two.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { breakConnection } from './break-connection.ts'
import type { Connection } from './connections.ts'
import type { Fault, FaultOptions } from './faults.ts'
import type { LedgerEntry, LedgerOutcome } from './ledger.ts'
import type { RecordBase, RecordOf, Settlement } from './records.ts'
import { refusal } from './refusal.ts'
import type { World } from './world.ts'

/** A JSON body as text and parsed; `value` is undefined if the text is not JSON. */
export type ReceivedBody = { readonly text: string; readonly value: unknown }

export type ReadMutation<Content> =
  | {
      readonly type: 'valid'
      readonly clientReference: string
      readonly name: string | null
      readonly content: Content
    }
  /** The body is understood but cannot be executed; the provider gives a reason. */
  | {
      readonly type: 'rejected'
      readonly clientReference: string
      readonly name: string | null
      readonly reason: string
    }
  | { readonly type: 'malformed' }

export type Instruction<Content> = {
  readonly clientReference: string
  readonly connection: Connection
  readonly content: Content
}

export type MutationKind<Content> = {
  readonly kind: string
  readonly read: (body: unknown) => ReadMutation<Content>
  /** The reason why the mutation is refused now; undefined if it is executed. */
  readonly validate?: (instruction: Instruction<Content>) => string | undefined
  /** Executes the mutation. Called once for each execution. */
  readonly keep: (record: RecordBase, instruction: Instruction<Content>) => RecordOf
  /** The time in ms until the record is final, without a script; 0: at once. */
  readonly settlesAfterMs?: (instruction: Instruction<Content>) => number
  /** Further members of the answer beside the record. */
  readonly show?: (kept: RecordOf) => object
  /** True if a revoked connection may send this mutation too. */
  readonly afterRevocation?: boolean
}

/** The time until which the mutation may begin to be executed. A mutation without it has no deadline. */
const Deadline = z.object({ valid_until: z.iso.datetime({ offset: true }).optional() })

export async function receiveMutation<Content>(
  world: World,
  row: MutationKind<Content>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { kind } = row
  const body = request.body as ReceivedBody | undefined
  const mutation = row.read(body?.value)
  const connection = world.connections.find(request.headers.authorization)
  const entry = world.ledger.receive({
    received_at: world.clock.now().toISOString(),
    kind,
    client_reference: mutation.type === 'malformed' ? null : mutation.clientReference,
    test_user: connection?.testUser.id ?? null,
    body: body?.text ?? '',
  })
  const refuse = (outcome: LedgerOutcome, status: number, code: string): FastifyReply => {
    entry.outcome = outcome
    return refusal(reply, status, code)
  }

  await world.waitLatency()
  if (connection === undefined) return refuse('unauthorized', 401, 'unknown_credentials')
  const deadline = Deadline.safeParse(body?.value)
  if (mutation.type === 'malformed' || !deadline.success) return refuse('malformed', 400, 'invalid_request')

  const content = mutation.type === 'valid' ? mutation.content : null
  const arrived = {
    testUser: connection.testUser.id,
    clientReference: mutation.clientReference,
    url: request.url,
    content,
  }
  const fault = world.faults.take({ kind, clientReference: mutation.clientReference, name: mutation.name })
  if (fault?.script === 'drop_before_accept') {
    entry.outcome = 'dropped'
    return breakConnection(request, reply)
  }
  if (fault?.script === 'error_before_accept') {
    entry.outcome = 'failed_inside'
    return reply.code(503).type('text/html').send('<h1>503 Service Unavailable</h1>')
  }
  if (fault?.script === 'hold') await world.held.keep(mutation.clientReference)
  // Nothing waits from here to the execution, so equal instructions that arrive together are executed once.
  const before = world.repeats.find(arrived)
  if (before.type === 'reused') return refuse('refused', 409, 'reference_reused')
  if (before.type === 'repeated') {
    entry.outcome = 'repeated'
    return reply.code(200).send({ data: { ...before.kept.show(), ...row.show?.(before.kept) } })
  }
  if (fault?.script === 'refuse') return refuse('refused', 403, 'refused')
  if (fault?.script === 'fail') return refuse('rejected', 422, fault.options.reason)
  if (connection.standing.state() === 'revoked' && row.afterRevocation !== true)
    return refuse('refused', 403, 'connection_revoked')
  if (world.identities.hasExpired(connection.testUser) && row.afterRevocation !== true)
    return refuse('refused', 403, 'identity_required')
  if (mutation.type === 'rejected') return refuse('rejected', 422, mutation.reason)
  const instruction = { clientReference: mutation.clientReference, connection, content: mutation.content }
  const reason = row.validate?.(instruction)
  if (reason !== undefined) return refuse('rejected', 422, reason)

  if (world.deadlines.havePassed(deadline.data.valid_until)) return refuse('expired', 422, 'submission_expired')
  const kept = execute(world, row, instruction, fault)
  world.repeats.remember(arrived, kept)
  const status = kept.first.status === 'pending' ? 202 : 201
  return answerExecuted(entry, fault, request, reply.code(status), { data: { ...kept.first, ...row.show?.(kept) } })
}

/** Enters the outcome of an execution, and answers as the script wants it. */
async function answerExecuted(
  entry: LedgerEntry,
  fault: Fault | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): Promise<unknown> {
  switch (fault?.script) {
    case 'accept_drop_reply':
      entry.outcome = 'executed_reply_dropped'
      return breakConnection(request, reply)
    case 'accept_error_reply':
      entry.outcome = 'executed_reply_malformed'
      return refusal(reply, 500, 'internal')
    case 'accept_garble_reply': {
      entry.outcome = 'executed_reply_malformed'
      const text = JSON.stringify(answer)
      return reply.type('application/json').send(text.slice(0, text.length / 2))
    }
    default:
      entry.outcome = 'executed'
      if (fault?.script === 'slow') await sleep(fault.options.delay_ms)
      return reply.send(answer)
  }
}

function execute<Content>(
  world: World,
  { keep, settlesAfterMs }: MutationKind<Content>,
  instruction: Instruction<Content>,
  fault?: Fault,
): RecordOf {
  const { clientReference, connection } = instruction
  const nowMs = world.clock.nowMs()
  const add = (settlement: Settlement) =>
    keep({ testUser: connection.testUser.id, clientReference, settlement }, instruction)
  if (fault?.script === 'contradict' && fault.options.contradiction === 'two_records') {
    const later = { type: 'later', atMs: nowMs, reason: fault.options.reason } as const
    const first = add({ ...later, as: 'succeeded' })
    add({ ...later, as: 'failed' })
    return first
  }
  return add(settlementOf(fault, settlesAfterMs?.(instruction) ?? 0, nowMs))
}

function settlementOf(fault: Fault | undefined, naturallyAfterMs: number, nowMs: number): Settlement {
  const later = (afterMs: number | null, { settle_as: as, reason }: Pick<FaultOptions, 'settle_as' | 'reason'>) =>
    ({ type: 'later', atMs: afterMs === null ? null : nowMs + afterMs, as, reason }) as const
  switch (fault?.script) {
    case 'settle_later':
      return later(fault.options.settle_after_ms, fault.options)
    case 'never_settle':
      return { type: 'never' }
    case 'vanish':
      return { type: 'vanished' }
    case 'contradict':
      return { type: 'reopened' }
    default:
      return naturallyAfterMs === 0
        ? { type: 'settled' }
        : later(naturallyAfterMs, { settle_as: 'succeeded', reason: 'returned' })
  }
}
