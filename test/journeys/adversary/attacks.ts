/**
 * What a thief with a good grant tries. An attack is one or more requests at once; those that may succeed are payments of the
 * book, the others may never be answered with success.
 */

import { randomUUID } from 'node:crypto'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { createKey } from '../../contract/hand-client.ts'
import type { Chance } from '../../simulation/virtual/random.ts'
import type { Book } from './book.ts'
import { type Asking, ask, decimal, type Mandate, type Player } from './cast.ts'

export type Scene = { player: Player; others: readonly Player[]; chance: Chance; book: Book }

const withdrawals = '/v1/spending-account/withdrawals'

type Payment = { cents: number; key?: string; mandate?: Mandate; body?: Record<string, unknown> } & Asking

/** A payment as the book knows it. A lost answer is no answer: the judges find out. */
export async function pay({ player, chance, book }: Scene, payment: Payment): Promise<ApiResponse | undefined> {
  const { cents, key = randomUUID(), mandate, body, ...asking } = payment
  const amount = { amount: decimal(cents), currency: player.currency }
  const path = mandate ? `/v1/mandates/${mandate.id}/transfers` : withdrawals
  const route = mandate ? 'POST /v1/mandates/{mandate_id}/transfers' : `POST ${withdrawals}`
  const whole = mandate ? { ...amount, ...body } : { beneficiary_id: player.payeeId, ...amount, ...body }
  const [grantId, mandateId, intent] = [player.grantId, mandate?.id ?? null, asking.intent ?? null]
  const sent = { player: player.clientId, route, key, cents, grantId, mandateId, intent }
  book.send(sent)
  const at = chance.pick(player.replicas)
  const answer = await ask(player, 'POST', path, { at, body: whole, key, ...asking }).catch(() => undefined)
  book.answered(answer?.status ?? 0, answer?.body['code'])
  if (answer?.status === 202) book.accept({ ...sent, id: answer.body['id'] })
  return answer
}

/** What may never succeed. */
async function never(scene: Scene, what: string, method: string, path: string, asking: Asking = {}): Promise<void> {
  const { player, chance, book } = scene
  const at = chance.pick(player.replicas)
  const answer = await ask(player, method, path, { at, ...asking }).catch(() => undefined)
  book.answered(answer?.status ?? 0, answer?.body['code'])
  if (answer && answer.status < 400) book.violations.push(`${what}: ${method} ${path} was answered ${answer.status}`)
}

const newest = ({ mandates }: Player) => mandates.at(-1)
const anAmount = ({ player, chance }: Scene) => {
  const most = player.ceilings?.perPayment ?? newest(player)?.perPayment ?? 500
  return chance.pick([1, 2, most - 1, most, most, most + 1, most * 2, chance.whole(1, most)])
}

function aPayment(scene: Scene): Payment {
  const { player, chance } = scene
  const mandate = newest(player)
  const isUnder = mandate !== undefined && mandate.grantId === player.grantId && chance.happens(0.5)
  return { cents: anAmount(scene), ...(isUnder || (mandate && !player.ceilings) ? { mandate } : {}) }
}

async function atOnce(scene: Scene): Promise<void> {
  const one = aPayment(scene)
  await Promise.all(Array.from({ length: scene.chance.whole(2, 12) }, () => pay(scene, one)))
}

async function equalKeys(scene: Scene): Promise<void> {
  const one = { ...aPayment(scene), key: randomUUID() }
  await Promise.all(Array.from({ length: scene.chance.whole(2, 6) }, () => pay(scene, one)))
  await pay(scene, one)
}

async function unequalKeys(scene: Scene): Promise<void> {
  const one = { ...aPayment(scene), key: randomUUID() }
  await Promise.all([1, 2, 3].map((more) => pay(scene, { ...one, cents: one.cents + more })))
}

/** A key that has been used already, for as much again or for more. */
async function oldKey(scene: Scene): Promise<void> {
  const { player, chance, book } = scene
  const mine = [...book.accepted.values()].filter((one) => one.player === player.clientId)
  if (mine.length === 0) return void (await pay(scene, aPayment(scene)))
  const { key, cents, mandateId } = chance.pick(mine)
  const mandate = player.mandates.find(({ id }) => id === mandateId)
  await pay(scene, { key, cents: chance.happens(0.5) ? cents : cents + 1, ...(mandate ? { mandate } : {}) })
}

/** No cent is that small, that large, or of that kind. */
async function oddAmount(scene: Scene): Promise<void> {
  const { player, chance } = scene
  const amount = chance.pick([
    '0.001',
    '0.0100000000000001',
    '-1.00',
    '0',
    '0.00',
    '1e-3',
    'NaN',
    '1_0',
    '',
    '9'.repeat(40),
  ])
  const currency = chance.pick(['USD', 'JPY', 'XXX', 'eur'])
  const changed = chance.happens(0.7) ? { amount, currency: player.currency } : { amount: '0.01', currency }
  const mandate = newest(player)
  const isUnder = mandate !== undefined && chance.happens(0.5)
  await never(scene, 'an odd amount', 'POST', isUnder ? `/v1/mandates/${mandate.id}/transfers` : withdrawals, {
    key: randomUUID(),
    body: isUnder ? changed : { beneficiary_id: player.payeeId, ...changed },
  })
}

/** Of the same owner or of another, and of nobody. */
async function foreignIds(scene: Scene): Promise<void> {
  const { player, others, chance } = scene
  const victim = chance.pick(others)
  const own = { amount: '0.01', currency: player.currency }
  const id = chance.happens(0.2) ? randomUUID() : chance.pick(victim.mandates)?.id
  const operations = [...scene.book.accepted.values()].filter((one) => one.player === victim.clientId)
  const operation = operations.length > 0 ? chance.pick(operations).id : randomUUID()
  const payee = victim.person === player.person ? randomUUID() : victim.payeeId
  await chance.pick([
    () => never(scene, 'a foreign mandate', 'POST', `/v1/mandates/${id}/transfers`, { key: randomUUID(), body: own }),
    () => never(scene, 'a foreign mandate', 'POST', `/v1/mandates/${id}/suspend`, { key: randomUUID() }),
    () => never(scene, 'a foreign mandate', 'GET', `/v1/mandates/${id}`),
    () => never(scene, 'a foreign operation', 'GET', `/v1/operations/${operation}`),
    () => never(scene, 'a foreign operation', 'POST', `/v1/operations/${operation}/approval/poll`),
    () =>
      never(scene, 'a foreign payee', 'POST', withdrawals, {
        key: randomUUID(),
        body: { beneficiary_id: payee, ...own },
      }),
  ])()
}

/** Mandates that were confirmed under access that has ended. */
async function formerMandate(scene: Scene): Promise<void> {
  const { player, chance } = scene
  const former = player.mandates.filter(({ grantId }) => grantId !== player.grantId)
  if (former.length === 0) return void (await pay(scene, aPayment(scene)))
  await pay(scene, { cents: 1, mandate: chance.pick(former) })
}

/** One proof is good once, at whichever replica. */
async function usedProof(scene: Scene): Promise<void> {
  const { player, chance, book } = scene
  // So that a nonce is in hand.
  await ask(player, 'GET', '/v1/operations?limit=1')
  const proof = player.sender.proofFor('POST', withdrawals)
  const answers = await Promise.all(Array.from({ length: chance.whole(2, 5) }, () => pay(scene, { cents: 1, proof })))
  const passed = answers.filter((answer) => answer && answer.status !== 401 && answer.status !== 503)
  if (passed.length > 1) book.violations.push(`${passed.length} requests passed with one proof`)
}

async function badProof(scene: Scene): Promise<void> {
  const { player, others, chance } = scene
  const body = { beneficiary_id: player.payeeId, amount: '0.01', currency: player.currency }
  const proofFor = (changes: Parameters<typeof player.sender.proofFor>[2]) =>
    player.sender.proofFor('POST', withdrawals, changes)
  const proof = chance.pick([
    () => proofFor({ signer: createKey() }),
    () => proofFor({ nonce: 'A'.repeat(43) }),
    () => proofFor({ nonce: null }),
    () => proofFor({ claims: { ath: 'A'.repeat(43) } }),
    () => proofFor({ claims: { htm: 'GET' } }),
    () => proofFor({ claims: { iat: 1 } }),
    () => proofFor({ header: { alg: 'none' } }),
  ])()
  const isStolen = chance.happens(0.3)
  await never(scene, 'a bad proof', 'POST', withdrawals, {
    key: randomUUID(),
    body,
    ...(isStolen ? { token: chance.pick(others).sender.token } : { proof }),
  })
}

/** An intent is for one payment, and for exactly that one. */
async function oneIntent(scene: Scene): Promise<void> {
  const { player, chance } = scene
  if (player.confirmAbove === undefined) return atOnce(scene)
  const cents = player.confirmAbove + chance.whole(1, 20)
  const body = { beneficiary_id: player.payeeId, amount: decimal(cents), currency: player.currency }
  const request = { action: 'transfer', request: { path: withdrawals, body } }
  const intent = await ask(player, 'POST', '/v1/confirmation-intents', { body: request })
  if (intent.status !== 201) return
  if (chance.happens(0.7)) await player.owner.confirm(intent.body['confirmation_url'])
  const id = intent.body['id'] as string
  const key = randomUUID()
  await Promise.all([
    pay(scene, { cents, intent: id }),
    pay(scene, { cents, intent: id }),
    pay(scene, { cents, intent: id, key }),
    pay(scene, { cents, intent: id, key }),
    pay(scene, { cents: cents + 1, intent: id }),
  ])
}

const attacks: readonly [weight: number, attack: (scene: Scene) => Promise<unknown>][] = [
  [14, (scene) => pay(scene, aPayment(scene))],
  [14, atOnce],
  [10, equalKeys],
  [8, unequalKeys],
  [8, oldKey],
  [8, oddAmount],
  [12, foreignIds],
  [10, formerMandate],
  [6, usedProof],
  [8, badProof],
  [2, oneIntent],
]
const total = attacks.reduce((sum, [weight]) => sum + weight, 0)

export async function attackOnce(scene: Scene): Promise<void> {
  let left = scene.chance.between(0, total)
  const [, attack] = attacks.find(([weight]) => (left -= weight) < 0) ?? attacks[0] ?? [0, atOnce]
  scene.book.tried(attack.name || 'pay')
  await attack(scene)
}
