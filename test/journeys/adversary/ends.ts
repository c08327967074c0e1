/**
 * The ends of authority. When an end is confirmed, the operations that were claimed before are noted: no other
 * operation may be claimed afterwards. If the server answers that it cannot confirm yet, the request is repeated.
 */

import { randomUUID } from 'node:crypto'
import type { FenceTarget } from '@financial-agents/contract/kinds'
import type pg from 'pg'
import { expect } from 'vitest'
import { type Page, wordsOf } from '../../authorization/page.ts'
import type { OperatorClient } from '../../contract/operator-client.ts'
import { confirmed, confirmedWrite, pollUntil, type TestStack } from '../../stack.test-helper.ts'
import { isFenced } from '../ending.test-helper.ts'
import type { Ended } from './book.ts'
import { ask, clientOf, postForm } from './cast.ts'
import type { Scene } from './payments.ts'

export type Stage = { stack: TestStack; db: pg.Pool; operator: OperatorClient }

type End = (stage: Stage, scene: Scene) => Promise<void>

const patienceMs = 180_000

/** Notes the operations that were claimed when the end was confirmed. Every other operation counts as not begun. */
async function noteEnd({ db }: Stage, { book }: Scene, end: Omit<Ended, 'begun'>): Promise<void> {
  const reported = new Date()
  const column = { grant: 'grant_id', mandate: 'mandate_id', connection: 'binding_id' }[end.what]
  const { rows } = await db.query<{ operation_id: string }>(
    `SELECT operation_id FROM submitter.submissions WHERE ${column} = $1 AND claimed_at <= $2`,
    [end.id, reported],
  )
  book.ended.push({ ...end, begun: new Set(rows.map(({ operation_id }) => operation_id)) })
}

/** Repeats a request until it gets the status `reported`. A 503 does not confirm the end. */
async function untilReported(what: string, reported: number, send: () => Promise<{ status: number; body: unknown }>) {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    const { status, body } = await send()
    if (status === reported) return
    if (status !== 503) throw new Error(`${what} was answered ${status} ${JSON.stringify(body)}`)
  }
  throw new Error(`${what} is never told`)
}

async function revokeToken(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const form = { token: player.refreshToken }
  await untilReported('a revocation', 200, () => postForm(stage.stack, player, '/oauth/revoke', form))
  await noteEnd(stage, scene, { what: 'grant', id: player.grantId, how: '/oauth/revoke' })
}

/** Sends the code of the consent a second time. A second use means that the code may have been stolen. */
async function replayCode(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  await untilReported('a replayed code', 400, () => postForm(stage.stack, player, '/oauth/token', player.redeemed))
  await noteEnd(stage, scene, { what: 'grant', id: player.grantId, how: 'a replayed code' })
}

/** The page may say that the end is not confirmed yet. It is once the submitter has its fence. */
async function untilFenced({ db }: Stage, page: Page, said: RegExp, target: FenceTarget, id: string): Promise<void> {
  if (said.test(wordsOf(page))) return
  await expect.poll(() => isFenced(db, target, id), { timeout: patienceMs }).toBe(true)
}

async function endOnPage(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const account = await player.owner.read(`${stage.stack.baseUrl}/account`)
  const page = await player.owner.press(account, new RegExp(`^end access of ${player.name}$`, 'i'))
  await untilFenced(stage, page, /Access ended/, 'grant', player.grantId)
  await noteEnd(stage, scene, { what: 'grant', id: player.grantId, how: 'the account page' })
}

async function suspendGrant(stage: Stage, scene: Scene): Promise<void> {
  const { grantId } = scene.player
  const body = { reason: 'It tries what it may not.' }
  await untilReported('a suspension', 200, () =>
    stage.operator.request('POST', `/v1/ops/grants/${grantId}/suspend`, { body }),
  )
  await noteEnd(stage, scene, { what: 'grant', id: grantId, how: 'an operator' })
}

const connection = '/v1/service-connections/current'

async function disconnectByClient(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const { body } = await ask(player, 'GET', connection)
  const intent = await confirmed(clientOf(player), player.owner, 'service_disconnect', { path: connection })
  await untilReported('a disconnect', 204, () => ask(player, 'DELETE', connection, { intent }))
  await noteEnd(stage, scene, { what: 'connection', id: body['id'], how: `DELETE ${connection}` })
}

async function disconnectOnPage(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const { body } = await ask(player, 'GET', connection)
  const account = await player.owner.read(`${stage.stack.baseUrl}/account`)
  const page = await player.owner.press(await player.owner.press(account, /^disconnect…$/i), /^disconnect$/i)
  await untilFenced(stage, page, /Disconnected/, 'binding', body['id'])
  await noteEnd(stage, scene, { what: 'connection', id: body['id'], how: 'disconnected on the account page' })
}

const grantEnds: readonly End[] = [revokeToken, endOnPage, suspendGrant, replayCode]

/** The number of consecutive lives that end in every way that ends a whole grant or connection. */
export const ways = grantEnds.length + 2

/** Takes the ends in turn, so that a short run contains each. */
export function endOf(number: number, isAlone: boolean): End {
  const ends = isAlone ? [...grantEnds, disconnectByClient, disconnectOnPage] : grantEnds
  return ends[number % ends.length] ?? revokeToken
}

/**
 * Suspends the mandate as the client, or revokes it with the owner's confirmation. The end is confirmed when the
 * operation succeeds.
 */
export async function endMandate(stage: Stage, scene: Scene, isSuspension: boolean): Promise<void> {
  const { player } = scene
  const mandate = player.mandates.at(-1)
  if (!mandate) return
  const [client, path] = [clientOf(player), `/v1/mandates/${mandate.id}`]
  const asked = isSuspension
    ? await ask(player, 'POST', `${path}/suspend`, { key: randomUUID() })
    : await confirmedWrite(client, player.owner, 'mandate_revoke', { path: `${path}/revoke` })
  if (asked.status !== 202) return
  await pollUntil(client, asked.body['id'], ['succeeded'], patienceMs)
  await noteEnd(stage, scene, { what: 'mandate', id: mandate.id, how: isSuspension ? 'suspended' : 'revoked' })
}
