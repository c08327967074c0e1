/**
 * `GET /provider/v1/movements`: movements of money, newest first, in pages. A page's token is valid only for the query
 * that returned it. Times have an offset and no fractions.
 */

import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listMovements, type Movement } from '../movements.ts'
import type { Persona } from '../personas.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

const Moment = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional()

const Query = z.strictObject({
  /** The start of the period, inclusive. */
  since: Moment,
  /** The end of the period, exclusive. */
  before: Moment,
  origin: z.enum(['account', 'card', 'purse']).optional(),
  card_ref: z.string().min(1).max(200).optional(),
  page: z.string().max(200).optional(),
  size: z.coerce.number().int().min(1).max(100).default(50),
})

type Query = z.infer<typeof Query>

const Token = z.tuple([z.string(), z.int(), z.string()])

export function addMovements(app: FastifyInstance, world: World): void {
  app.get('/provider/v1/movements', (request, reply) =>
    answerQuietly(world, { kind: 'activity_read', clientReference: null, request, reply }, ({ persona }) => {
      const parsed = Query.safeParse(request.query)
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      return findPage(world, persona, parsed.data)
    }),
  )
}

function findPage(world: World, persona: Persona, query: Query): object {
  const digest = digestOf(persona, query)
  const isAfter = query.page === undefined ? () => true : afterToken(query.page, digest)
  const left = listMovements(world, persona).filter((movement) => isAsked(movement, query) && isAfter(movement))
  const page = left.slice(0, query.size)
  const last = page.at(-1)
  const next_page = last !== undefined && left.length > page.length ? tokenOf(digest, last) : null
  return { movements: page.map((movement) => shown(movement)), next_page }
}

function isAsked({ atMs, origin, cardRef }: Movement, query: Query): boolean {
  return (
    atMs >= (query.since ?? Number.NEGATIVE_INFINITY) &&
    atMs < (query.before ?? Number.POSITIVE_INFINITY) &&
    origin === (query.origin ?? origin) &&
    cardRef === (query.card_ref ?? cardRef)
  )
}

function shown({ ref, atMs, origin, flow, amount, stage, text, other, mcc, cardRef }: Movement): object {
  const happened_at = `${new Date(atMs + 3_600_000).toISOString().slice(0, 19)}+01:00`
  return {
    movement_ref: ref,
    origin,
    flow,
    amount,
    stage,
    text,
    mcc,
    happened_at,
    other_party: other,
    card_ref: cardRef,
  }
}

function digestOf({ id }: Persona, { since, before, origin, card_ref }: Query): string {
  return hash('sha256', JSON.stringify([id, since, before, origin, card_ref]), 'base64url').slice(0, 16)
}

function tokenOf(digest: string, { atMs, ref }: Movement): string {
  return Buffer.from(JSON.stringify([digest, atMs, ref])).toString('base64url')
}

function afterToken(token: string, digest: string): (movement: Movement) => boolean {
  const read = findToken(token)
  if (read?.[0] !== digest) throw new Refused(400, 'unknown_page')
  const [, lastMs, lastRef] = read
  return ({ atMs, ref }) => atMs < lastMs || (atMs === lastMs && ref < lastRef)
}

function findToken(token: string): z.infer<typeof Token> | undefined {
  try {
    return Token.safeParse(JSON.parse(Buffer.from(token, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
