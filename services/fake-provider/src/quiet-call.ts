/** The course of a call that is not a mutation: credentials, fault script, answer. The ledger has no entry for it. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { breakConnection } from './break-connection.ts'
import type { Connection } from './connections.ts'
import type { Fault } from './faults.ts'
import { refusal } from './refusal.ts'
import type { World } from './world.ts'

export type QuietCall = {
  readonly kind: string
  readonly clientReference: string | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** True for a read with a body. It is answered 200, and is allowed on a revoked connection. */
  readonly reads?: boolean
}

/** Thrown to answer with a refusal document of this status and code. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/**
 * @param run builds the body of the answer, or throws `Refused`. Its `fault` is a script that the call itself must
 *   apply
 */
export async function answerQuietly(
  world: World,
  call: QuietCall,
  run: (connection: Connection, fault: Fault | undefined) => object,
): Promise<unknown> {
  const { request, reply } = call
  await world.waitLatency()
  const connection = world.connections.find(request.headers.authorization)
  if (connection === undefined) return refusal(reply, 401, 'unknown_credentials')
  if (instructs(call) && connection.standing.state() === 'revoked') return refusal(reply, 403, 'connection_revoked')
  if (world.identities.hasExpired(connection.testUser) && !isOpenToUnknown(call.kind))
    return refusal(reply, 403, 'identity_required')
  return answerUnder(world, call, connection.testUser.id, (fault) => run(connection, fault))
}

/**
 * Does the same for calls with equal answers for all callers. They need no credentials, and ignore any that are sent.
 */
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

/**
 * True for calls that stay open while the person's identity check has expired: the identity itself, and the state of earlier
 * instructions.
 */
function isOpenToUnknown(kind: string): boolean {
  return ['identity_check', 'identityStatus', 'search', 'approval_read'].includes(kind)
}

function instructs({ request, reads }: QuietCall): boolean {
  return request.method === 'POST' && reads !== true
}

/**
 * Applies the script `malform` to an answer: wraps its first value in an unexpected object. The original contents stay
 * inside. A reader that wrongly repeats what it could not parse then reveals it, and tests find this.
 */
function malformed(body: object): object {
  const copy = structuredClone(body)
  wrapFirst(copy)
  return copy
}

function wrapFirst(holder: object): boolean {
  const members = holder as Record<string, unknown>
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'object' || value === null) {
      members[name] = { unexpected: value }
      return true
    }
    if (wrapFirst(value)) return true
  }
  return false
}
