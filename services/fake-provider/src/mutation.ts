/**
 * The course of any mutation, whatever its kind: who asks, what it says, which fault script applies, the ledger, the
 * answer. A kind brings only what is its own (how its body is read).
 *
 * Invariant: a mutation that arrived is in the ledger exactly once, from its arrival on, and its outcome is there before
 * its answer or the end of its connection, so that a test that saw either finds it.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { breakConnection } from './break-connection.ts'
import type { Fault, FaultOptions } from './faults.ts'
import type { LedgerOutcome } from './ledger.ts'
import { findPersona, type Persona } from './personas.ts'
import type { Settlement, ShownRecord } from './records.ts'
import { refusal } from './refusal.ts'
import type { World } from './world.ts'

/** A JSON body as it came, and parsed; undefined where it was no JSON. */
export type ReceivedBody = { readonly text: string; readonly value: unknown }

/** What a kind makes of its body. */
export type ReadMutation =
  | { readonly type: 'valid'; readonly clientReference: string; readonly name: string | null }
  /** Understood and not executable: the provider says why. */
  | {
      readonly type: 'rejected'
      readonly clientReference: string
      readonly name: string | null
      readonly reason: string
    }
  | { readonly type: 'malformed' }

export type MutationKind = {
  readonly kind: string
  readonly read: (body: unknown) => ReadMutation
}

export async function receiveMutation(
  world: World,
  { kind, read }: MutationKind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const body = request.body as ReceivedBody | undefined
  const mutation = read(body?.value)
  const persona = findPersona(request.headers.authorization)
  const entry = world.ledger.receive({
    received_at: world.clock.now().toISOString(),
    kind,
    client_reference: mutation.type === 'malformed' ? null : mutation.clientReference,
    persona: persona?.id ?? null,
    body: body?.text ?? '',
  })
  const refuse = (outcome: LedgerOutcome, status: number, code: string): FastifyReply => {
    entry.outcome = outcome
    return refusal(reply, status, code)
  }

  await world.waitLatency()
  if (persona === undefined) return refuse('unauthorized', 401, 'unknown_credentials')
  if (mutation.type === 'malformed') return refuse('malformed', 400, 'invalid_request')

  const fault = world.faults.take({ kind, clientReference: mutation.clientReference, name: mutation.name })
  if (fault?.script === 'drop_before_accept') {
    entry.outcome = 'dropped'
    return breakConnection(request, reply)
  }
  if (fault?.script === 'refuse') return refuse('refused', 403, 'refused')
  if (fault?.script === 'fail') return refuse('rejected', 422, fault.options.reason)
  if (mutation.type === 'rejected') return refuse('rejected', 422, mutation.reason)

  const shown = execute(world, kind, persona, mutation.clientReference, fault)
  if (fault?.script === 'accept_drop_reply') {
    entry.outcome = 'executed_reply_dropped'
    return breakConnection(request, reply)
  }
  entry.outcome = 'executed'
  if (fault?.script === 'slow') await sleep(fault.options.delay_ms)
  return reply.code(shown.status === 'pending' ? 202 : 201).send({ result: shown })
}

function execute(world: World, kind: string, persona: Persona, clientReference: string, fault?: Fault): ShownRecord {
  const add = (settlement: Settlement) => world.records.add({ persona: persona.id, kind, clientReference, settlement })
  if (fault?.script === 'contradict' && fault.options.contradiction === 'two_records') {
    const later = { type: 'later', atMs: world.clock.nowMs(), reason: fault.options.reason } as const
    const first = add({ ...later, as: 'active' })
    add({ ...later, as: 'failed' })
    return first
  }
  return add(fault === undefined ? { type: 'settled' } : settlementOf(fault, fault.options, world.clock.nowMs()))
}

function settlementOf({ script }: Fault, options: FaultOptions, nowMs: number): Settlement {
  switch (script) {
    case 'settle_later': {
      const atMs = options.settle_after_ms === null ? null : nowMs + options.settle_after_ms
      return { type: 'later', atMs, as: options.settle_as, reason: options.reason }
    }
    case 'never_settle':
      return { type: 'never' }
    case 'contradict':
      return { type: 'reopened' }
    default:
      return { type: 'settled' }
  }
}
