/**
 * The course of a call that is no mutation: who asks, which fault script names its kind, the answer. Nothing of it is in
 * the ledger.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { breakConnection } from './break-connection.ts'
import type { Connection } from './connections.ts'
import type { Fault } from './faults.ts'
import { malformed } from './malformed.ts'
import { refusal } from './refusal.ts'
import type { World } from './world.ts'

export type QuietCall = {
  readonly kind: string
  readonly clientReference: string | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** A read although it comes with a body: answered 200, and also on a connection that is withdrawn. */
  readonly reads?: boolean
}

/** Answers with a refusal document of this status and code. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** @param run makes the body of the answer, or throws `Refused`; the script is one that is its own business */
export async function answerQuietly(
  world: World,
  call: QuietCall,
  run: (connection: Connection, fault: Fault | undefined) => object,
): Promise<unknown> {
  const { request, reply } = call
  await world.waitLatency()
  const connection = world.connections.find(request.headers.authorization)
  if (connection === undefined) return refusal(reply, 401, 'unknown_credentials')
  if (instructs(call) && connection.standing.state() === 'withdrawn') return refusal(reply, 403, 'connection_withdrawn')
  if (world.identities.hasLapsed(connection.persona) && !isOpenToUnknown(call.kind))
    return refusal(reply, 403, 'identity_required')
  return answerUnder(world, call, connection.persona.id, (fault) => run(connection, fault))
}

/** The same for what is the same for everybody: no credentials are asked for, and any are ignored. */
export async function answerPublicly(
  world: World,
  call: Omit<QuietCall, 'clientReference'>,
  run: () => object,
): Promise<unknown> {
  await world.waitLatency()
  return answerUnder(world, { ...call, clientReference: null }, null, run)
}

async function answerUnder(
  world: World,
  call: QuietCall,
  name: string | null,
  run: (fault: Fault | undefined) => object,
): Promise<unknown> {
  const { kind, clientReference, request, reply } = call
  const fault = world.faults.takeNamed({ kind, clientReference: clientReference ?? '', name })
  if (fault?.script === 'drop_before_accept') return breakConnection(request, reply)
  if (fault?.script === 'refuse') return refusal(reply, 403, 'refused')
  try {
    const body = run(fault)
    if (fault?.script === 'accept_drop_reply') return breakConnection(request, reply)
    if (fault?.script === 'slow') await sleep(fault.options.delay_ms)
    return reply.code(instructs(call) ? 201 : 200).send(fault?.script === 'malform' ? malformed(body) : body)
  } catch (error) {
    if (error instanceof Refused) return refusal(reply, error.status, error.code)
    throw error
  }
}

/** What goes on whoever the person turns out to be: who they are, and what became of instructions taken before. */
function isOpenToUnknown(kind: string): boolean {
  return ['identity_check', 'identity_read', 'search', 'approval_read'].includes(kind)
}

function instructs({ request, reads }: QuietCall): boolean {
  return request.method === 'POST' && reads !== true
}
