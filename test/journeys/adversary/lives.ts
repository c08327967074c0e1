/**
 * One life of the adversary: the owner allows access and confirms a mandate, the adversary makes many attempts, and
 * then the access or the mandate ends while payments are under way.
 */

import { randomUUID } from 'node:crypto'
import { activeMandate, pollUntil, settledResource } from '../../stack.test-helper.ts'
import { attackOnce } from './attacks.ts'
import { ask, clientOf, consent, decimal, type Player } from './cast.ts'
import { endMandate, endOf, type Stage } from './ends.ts'
import { pay, type Scene } from './payments.ts'

/** Creates the payee of every payment. */
export async function makePayee(player: Player): Promise<void> {
  const body = { name: `Payee of ${player.name}`, currency: player.currency, ...player.payee }
  const made = await ask(player, 'POST', '/v1/beneficiaries', { body, key: randomUUID() })
  if (made.status !== 202) throw new Error(`a payee was refused: ${JSON.stringify(made.body)}`)
  await pollUntil(clientOf(player), made.body['id'], ['succeeded'])
  // The resource follows its operation.
  await settledResource(clientOf(player), `/v1/beneficiaries/${made.body['resource_id']}`, 'active')
  player.payeeId = made.body['resource_id']
}

/** Creates a mandate within the grant's limits, if it has any. */
async function makeMandate({ player, chance }: Scene): Promise<void> {
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

/** Sends payments throughout the end, before and after it is confirmed. */
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

/**
 * A withdrawal waits for the owner's approval at the provider. If the approval comes after the access has ended, the
 * withdrawal is not paid.
 */
async function approveTooLate(scene: Scene, end: () => Promise<void>): Promise<void> {
  const { player } = scene
  const waiting = await pay(scene, { cents: 60_000 })
  if (waiting?.status !== 202) return end()
  const ready = await pollUntil(clientOf(player), waiting.body['id'], [], 120_000, (body) => body['action_required'])
  await end()
  await player.owner.decideAtProvider(ready.body['action_required'].url, 'approve')
}

/**
 * Lives one life.
 *
 * @param attempts the least number of attempts before the access ends
 * @param number selects the end
 */
export async function live(stage: Stage, scene: Scene, attempts: number, number: number): Promise<void> {
  const { player, book } = scene
  await makeMandate(scene)
  const until = book.sum() + attempts
  while (book.sum() < until) await Promise.all([1, 2, 3].map(() => attackOnce(scene)))
  // In every third life the mandate stays active until the access ends.
  if (number % 3 < 2) await whilePaying(scene, () => endMandate(stage, scene, number % 3 === 0))
  // A connection belongs to the owner. The application may end it only if no other application uses it.
  const isAlone = scene.others.every(({ person }) => person !== player.person)
  const end = endOf(number, isAlone)
  await whilePaying(scene, () => (player.ceilings ? end(stage, scene) : approveTooLate(scene, () => end(stage, scene))))
  for (let n = 0; n < 4; n += 1) await attackOnce(scene)
  await consent(stage.stack, player)
  if (isAlone) await makePayee(player)
}
