/**
 * Attacks of a thief with a valid grant. An attack is one or more concurrent requests. Requests that may succeed are
 * payments in the book; the others must never be answered with success.
 */

import { randomUUID } from 'node:crypto'
import { createKey } from '../../contract/hand-client.ts'
import { fineCap, longAmount, oddAmount } from './amounts.ts'
import { ask } from './cast.ts'
import { oneIntent, refusedIntent, strangeIntent } from './confirmations.ts'
import { aPayment, never, pay, type Scene, withdrawals } from './payments.ts'

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

/** Uses an old idempotency key, for the same amount or for more. */
async function oldKey(scene: Scene): Promise<void> {
  const { player, chance, book } = scene
  const mine = [...book.accepted.values()].filter((one) => one.player === player.clientId)
  if (mine.length === 0) return void (await pay(scene, aPayment(scene)))
  const { key, cents, mandateId } = chance.pick(mine)
  const mandate = player.mandates.find(({ id }) => id === mandateId)
  await pay(scene, { key, cents: chance.happens(0.5) ? cents : cents + 1, ...(mandate ? { mandate } : {}) })
}

/** Ids of the same owner's other client, of another owner, and of no one. */
async function foreignIds(scene: Scene): Promise<void> {
  const { player, others, chance } = scene
  const victim = chance.pick(others)
  const own = { amount: '0.01', currency: player.currency }
  const isInvented = chance.happens(0.2)
  // The victim may not have a mandate yet.
  const id = isInvented || victim.mandates.length === 0 ? randomUUID() : chance.pick(victim.mandates).id
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

/** Pays under mandates that were confirmed for a grant that has ended. */
async function formerMandate(scene: Scene): Promise<void> {
  const { player, chance } = scene
  const former = player.mandates.filter(({ grantId }) => grantId !== player.grantId)
  if (former.length === 0) return void (await pay(scene, aPayment(scene)))
  await pay(scene, { cents: 1, mandate: chance.pick(former) })
}

/** One DPoP proof is valid once, across all replicas. */
async function usedProof(scene: Scene): Promise<void> {
  const { player, chance, book } = scene
  // This request fetches a nonce.
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

/** A client sees only its own payments. */
async function othersTransfers(scene: Scene): Promise<void> {
  const { player, others, chance, book } = scene
  const { status, body } = await ask(player, 'GET', `/v1/transfers?limit=${chance.whole(1, 100)}`, {
    at: chance.pick(player.replicas),
  })
  book.answered(status, body['code'])
  for (const { operation_id: id } of (body['items'] ?? []) as { operation_id: string }[])
    if ((book.accepted.get(id)?.player ?? player.clientId) !== player.clientId)
      book.violations.push(`${player.clientId} was shown transfer ${id} of another client`)
  const victim = chance.pick(others)
  const operations = [...book.accepted.values()].filter((one) => one.player === victim.clientId)
  if (operations.length === 0) return
  const { transferId } = chance.pick(operations)
  await never(scene, 'a foreign transfer', 'GET', `/v1/transfers/${transferId}`)
}

const attacks: readonly [weight: number, attack: (scene: Scene) => Promise<unknown>][] = [
  [14, (scene) => pay(scene, aPayment(scene))],
  [14, atOnce],
  [10, equalKeys],
  [8, unequalKeys],
  [8, oldKey],
  [10, oddAmount],
  [4, fineCap],
  [6, longAmount],
  [12, foreignIds],
  [4, othersTransfers],
  [10, formerMandate],
  [6, usedProof],
  [8, badProof],
  [2, oneIntent],
  [2, refusedIntent],
  [2, strangeIntent],
]
const total = attacks.reduce((sum, [weight]) => sum + weight, 0)

export async function attackOnce(scene: Scene): Promise<void> {
  let left = scene.chance.between(0, total)
  const [, attack] = attacks.find(([weight]) => (left -= weight) < 0) ?? attacks[0] ?? [0, atOnce]
  scene.book.tried(attack.name || 'pay')
  await attack(scene)
}
