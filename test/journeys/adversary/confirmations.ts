/**
 * Attacks on confirmations. A confirmation is valid once, for one request of one grant. A declined request is never
 * executed.
 */

import { randomUUID } from 'node:crypto'
import { ask, decimal, type Unused } from './cast.ts'
import { never, pay, type Scene, withdrawals } from './payments.ts'

type OpenConfirmation = Unused & { url: string }

const mandates = '/v1/mandates'

/** Asks the owner to confirm a withdrawal above the client's limit, or a mandate. */
async function askOwner({ player, chance, book }: Scene): Promise<OpenConfirmation | undefined> {
  const isPayment = player.confirmAbove !== undefined && chance.happens(0.5)
  const cents = (player.confirmAbove ?? 0) + chance.whole(1, 20)
  const path = isPayment ? withdrawals : mandates
  const body = isPayment
    ? { beneficiary_id: player.payeeId, amount: decimal(cents), currency: player.currency }
    : mandateOf(player.payeeId, decimal(cents % 300))
  const request = { action: isPayment ? 'transfer' : 'mandate_create', request: { path, body } }
  const { status, body: intent } = await ask(player, 'POST', '/v1/confirmation-intents', { body: request })
  book.answered(status, intent['code'])
  if (status !== 201) return undefined
  return { intent: intent['id'], url: intent['confirmation_url'], grantId: player.grantId, path, body }
}

export function mandateOf(beneficiary_id: string, cap: string): Record<string, unknown> {
  const caps = { per_payment_max: cap, daily_max: cap, weekly_max: cap, monthly_max: cap, total_cap: cap }
  return { beneficiary_id, ...caps, payment_count: 1, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
}

/** Uses an intent that the owner declined or has not decided. */
export async function refusedIntent(scene: Scene): Promise<void> {
  const asked = await askOwner(scene)
  if (!asked) return
  const { intent, url, path, body } = asked
  if (scene.chance.happens(0.7)) await scene.player.decide('decline', url)
  const one = () => never(scene, 'what the owner did not confirm', 'POST', path, { key: randomUUID(), body, intent })
  await Promise.all([one(), one()])
  await one()
}

/** Uses a confirmed intent of another client or of an earlier grant. */
export async function strangeIntent(scene: Scene): Promise<void> {
  const { player, others, chance } = scene
  const asked = await askOwner(scene)
  if (asked) {
    await player.decide('confirm', asked.url)
    player.unused.push(asked)
  }
  const strange = [
    ...others.flatMap(({ unused }) => unused),
    ...player.unused.filter(({ grantId }) => grantId !== player.grantId),
  ]
  if (strange.length === 0) return
  const { intent, path, body } = chance.pick(strange)
  await never(scene, 'a confirmation of other access', 'POST', path, { key: randomUUID(), body, intent })
}

/** A confirmation allows exactly one mandate, with exactly its terms. */
export async function oneMandate(scene: Scene): Promise<void> {
  const { player, book } = scene
  const body = mandateOf(player.payeeId, '1')
  const request = { action: 'mandate_create', request: { path: mandates, body } }
  const intent = await ask(player, 'POST', '/v1/confirmation-intents', { body: request })
  if (intent.status !== 201) return
  await player.decide('confirm', intent.body['confirmation_url'])
  const wider = { ...body, total_cap: '1.01' }
  await never(scene, 'a wider mandate', 'POST', mandates, { key: randomUUID(), body: wider, intent: intent.body['id'] })
  const asking = { body, intent: intent.body['id'] as string }
  const answers = await Promise.all(
    [1, 2, 3].map(() => ask(player, 'POST', mandates, { ...asking, key: randomUUID() }).catch(() => undefined)),
  )
  for (const answer of answers) book.answered(answer?.status ?? 0, answer?.body['code'])
  const made = new Set(answers.flatMap((answer) => (answer?.status === 202 ? [answer.body['id']] : [])))
  if (made.size > 1) book.violations.push(`${made.size} mandates were made of one confirmation`)
}

/** An intent allows exactly one payment, with exactly its terms. */
export async function oneIntent(scene: Scene): Promise<void> {
  const { player, chance } = scene
  if (player.confirmAbove === undefined) return oneMandate(scene)
  const cents = player.confirmAbove + chance.whole(1, 20)
  const body = { beneficiary_id: player.payeeId, amount: decimal(cents), currency: player.currency }
  const request = { action: 'transfer', request: { path: withdrawals, body } }
  const intent = await ask(player, 'POST', '/v1/confirmation-intents', { body: request })
  if (intent.status !== 201) return
  if (chance.happens(0.7)) await player.decide('confirm', intent.body['confirmation_url'])
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
