/**
 * `GET /provider/v1/movements`: movements of money, newest first, in pages. A page's token is valid only for the query
 * that returned it. Times have an offset and no fractions.
 */

import { hash } from 'node:crypto'
import { pathPattern } from '@financial-agents/provider-api/paths'
import { movementsQuery } from '@financial-agents/provider-api/shapes/movements'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listMovements, type Movement } from '../movements.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { TestUser } from '../test-users.ts'
import type { World } from '../world.ts'

type Query = z.infer<typeof movementsQuery>

const Token = z.tuple([z.string(), z.int(), z.string()])

export function addMovements(app: FastifyInstance, world: World): void {
  app.get(pathPattern('readMovements'), (request, reply) =>
    answerQuietly(world, { kind: 'activity_read', clientReference: null, request, reply }, ({ testUser }) => {
      const parsed = movementsQuery.safeParse(request.query)
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      return findPage(world, testUser, parsed.data)
    }),
  )
}

function findPage(world: World, testUser: TestUser, query: Query): object {
  const digest = digestOf(testUser, query)
  const isAfter = query.page === undefined ? () => true : afterToken(query.page, digest)
  const left = listMovements(world, testUser).filter((movement) => isAsked(movement, query) && isAfter(movement))
  const page = left.slice(0, query.size)
  const last = page.at(-1)
  const next_page = last !== undefined && left.length > page.length ? tokenOf(digest, last) : null
  return { movements: page.map((movement) => shown(movement)), next_page }
}

function isAsked({ atMs, origin, cardRef }: Movement, query: Query): boolean {
  return (
    atMs >= timestampMs(query.since, Number.NEGATIVE_INFINITY) &&
    atMs < timestampMs(query.before, Number.POSITIVE_INFINITY) &&
    origin === (query.origin ?? origin) &&
    cardRef === (query.card_ref ?? cardRef)
  )
}

function timestampMs(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Date.parse(text)
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

function digestOf({ id }: TestUser, { since, before, origin, card_ref }: Query): string {
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
