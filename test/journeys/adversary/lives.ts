/**
 * A life of the adversary: access is allowed, a mandate confirmed, much is tried, and the access ends, or the mandate, while payments
 * are under way. What was begun by then is noted the moment that the end is told: nothing more may begin.
 */

import { randomUUID } from 'node:crypto'
import type { ApiClient } from '@financial-agents/testkit/client'
import type pg from 'pg'
import type { TestStack } from '../../stack.test-helper.ts'
import { activeMandate, pollUntil } from '../../stack.test-helper.ts'
import { attackOnce, pay, type Scene } from './attacks.ts'
import type { Ended } from './book.ts'
import { ask, consent, decimal, type Player, postForm } from './cast.ts'

export type Stage = { stack: TestStack; db: pg.Pool }

/** As the helpers of journeys know a client. */
const clientOf = (player: Player): ApiClient => ({
  clientId: player.clientId,
  authorize: () => Promise.resolve(),
  token: () => player.sender.token,
  request: (method, path, { body, key, headers } = {}) =>
    ask(player, method, path, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      ...(headers?.['Confirmation-Intent-ID'] ? { intent: headers['Confirmation-Intent-ID'] } : {}),
    }),
})

/** The account to which everything is paid. */
export async function makePayee(player: Player): Promise<void> {
  const body = { name: `Payee of ${player.name}`, currency: player.currency, ...player.payee }
  const made = await ask(player, 'POST', '/v1/beneficiaries', { body, key: randomUUID() })
  if (made.status !== 202) throw new Error(`a payee was refused: ${JSON.stringify(made.body)}`)
  await pollUntil(clientOf(player), made.body['id'], ['succeeded'])
  player.payeeId = made.body['resource_id']
}

/** Within the ceilings of the grant, where it has any. */
export async function makeMandate({ player, chance }: Scene): Promise<void> {
  const perPayment = chance.whole(50, player.ceilings?.perPayment ?? 400)
  const total = perPayment * chance.whole(2, 5)
  const count = chance.whole(2, 12)
  const capped = Math.min(total, player.ceilings?.perDay ?? total)
  const cap = decimal(capped)
  const id = await activeMandate(clientOf(player), player.owner, {
    beneficiary_id: player.payeeId,
    per_payment_max: decimal(perPayment),
    daily_max: cap,
    weekly_max: cap,
    monthly_max: cap,
    total_cap: cap,
    payment_count: count,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  player.mandates.push({ id, grantId: player.grantId, perPayment, total: capped, count })
}

/** Operations that the submitter has a row of: whatever has none was not begun. */
async function begunOf({ db }: Stage, what: Ended['what'], id: string): Promise<Set<string>> {
  const column = { grant: 'grant_id', mandate: 'mandate_id', connection: 'client_id' }[what]
  const { rows } = await db.query<{ operation_id: string }>(
    `SELECT operation_id FROM submitter.submissions WHERE ${column} = $1`,
    [id],
  )
  return new Set(rows.map(({ operation_id }) => operation_id))
}

async function noteEnd(stage: Stage, { book }: Scene, end: Omit<Ended, 'begun'>): Promise<void> {
  book.ended.push({ ...end, begun: await begunOf(stage, end.what, end.id) })
}

/** Payments at every moment around the end, before and after it is told. */
async function whilePaying(scene: Scene, end: () => Promise<unknown>): Promise<void> {
  let ended = false
  const paying = Array.from({ length: 6 }, async (_, index) => {
    for (let n = 0; n < 4 || !ended; n += 1) {
      const mandate = index % 2 === 0 ? scene.player.mandates.at(-1) : undefined
      const answer = await pay(scene, { cents: 1, ...(mandate ? { mandate } : {}) })
      if (answer?.status === 401) return
    }
  })
  await end().finally(() => {
    ended = true
  })
  for (let n = 0; n < 4; n += 1) await pay(scene, { cents: 1 })
  await Promise.all(paying)
}

/** Told by 200; where the server says that it cannot tell, it is asked again. */
async function revokeToken(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const form = { token: player.refreshToken }
  for (;;) {
    const { status, body } = await postForm(stage.stack, player, '/oauth/revoke', form)
    if (status === 200) break
    if (status !== 503) throw new Error(`a revocation was answered ${status} ${JSON.stringify(body)}`)
  }
  await noteEnd(stage, scene, { what: 'grant', id: player.grantId, how: '/oauth/revoke' })
}

async function endOnPage(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const account = await player.owner.read(`${stage.stack.baseUrl}/account`)
  await player.owner.press(account, new RegExp(`^end access of ${player.name}$`, 'i'))
  await noteEnd(stage, scene, { what: 'grant', id: player.grantId, how: 'the account page' })
}

async function suspendMandate(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  const mandate = player.mandates.at(-1)
  if (!mandate) return
  const asked = await ask(player, 'POST', `/v1/mandates/${mandate.id}/suspend`, { key: randomUUID() })
  if (asked.status !== 202) return
  await pollUntil(clientOf(player), asked.body['id'], ['succeeded'])
  await noteEnd(stage, scene, { what: 'mandate', id: mandate.id, how: 'suspended' })
}

/** A withdrawal that waits for the owner at the provider: approved after the access has ended, it is not paid. */
async function approveTooLate(scene: Scene, end: () => Promise<void>): Promise<void> {
  const { player } = scene
  const waiting = await pay(scene, { cents: 60_000 })
  if (waiting?.status !== 202) return end()
  const ready = await pollUntil(clientOf(player), waiting.body['id'], [], 20_000, (body) => body['action_required'])
  await end()
  await player.owner.decideAtProvider(ready.body['action_required'].url, 'approve')
}

/** The last of a player who is alone with its owner: a connection that has ended is not made again. */
export async function disconnect(stage: Stage, scene: Scene): Promise<void> {
  const { player } = scene
  await whilePaying(scene, async () => {
    const account = await player.owner.read(`${stage.stack.baseUrl}/account`)
    await player.owner.press(await player.owner.press(account, /^disconnect…$/i), /^disconnect$/i)
    await noteEnd(stage, scene, { what: 'connection', id: player.clientId, how: 'disconnected on the account page' })
  })
}

/** @param attempts at least as many are made before the access ends */
export async function live(stage: Stage, scene: Scene, attempts: number): Promise<void> {
  const { player, chance, book } = scene
  await makeMandate(scene)
  const until = book.sum() + attempts
  while (book.sum() < until) await Promise.all([1, 2, 3].map(() => attackOnce(scene)))
  if (chance.happens(0.5)) await whilePaying(scene, () => suspendMandate(stage, scene))
  const end = () => (chance.happens(0.5) ? revokeToken(stage, scene) : endOnPage(stage, scene))
  await whilePaying(scene, () => (player.ceilings ? end() : approveTooLate(scene, end)))
  for (let n = 0; n < 4; n += 1) await attackOnce(scene)
  await consent(stage.stack, player)
}
