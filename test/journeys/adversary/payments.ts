/** A payment that the book records, and a request that must never succeed. Attacks are made of these two. */

import { randomUUID } from 'node:crypto'
import type { ApiResponse } from '@financial-agents/testkit/client'
import type { Chance } from '../../simulation/virtual/random.ts'
import type { Book } from './book.ts'
import { type Asking, ask, decimal, type Mandate, type Player } from './cast.ts'

export type Scene = { player: Player; others: readonly Player[]; chance: Chance; book: Book }

export const withdrawals = '/v1/spending-account/withdrawals'

type Payment = { cents: number; key?: string; mandate?: Mandate; body?: Record<string, unknown> } & Asking

/** Sends a payment and records it in the book. A lost answer counts as no answer; the validators look for its outcome. */
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
  if (answer?.status === 202) book.accept({ ...sent, id: answer.body['id'], transferId: answer.body['resource_id'] })
  return answer
}

/** Sends a request that must never succeed. */
export async function never(
  scene: Scene,
  what: string,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<void> {
  const { player, chance, book } = scene
  const at = chance.pick(player.replicas)
  const answer = await ask(player, method, path, { at, ...asking }).catch(() => undefined)
  book.answered(answer?.status ?? 0, answer?.body['code'])
  if (answer && answer.status < 400) book.violations.push(`${what}: ${method} ${path} was answered ${answer.status}`)
}

export const newest = ({ mandates }: Player) => mandates.at(-1)
const anAmount = ({ player, chance }: Scene) => {
  const most = player.ceilings?.perPayment ?? newest(player)?.perPayment ?? 500
  return chance.pick([1, 2, most - 1, most, most, most + 1, most * 2, chance.whole(1, most)])
}

export function aPayment(scene: Scene): Payment {
  const { player, chance } = scene
  const mandate = newest(player)
  const isUnder = mandate !== undefined && mandate.grantId === player.grantId && chance.happens(0.5)
  return { cents: anAmount(scene), ...(isUnder || (mandate && !player.ceilings) ? { mandate } : {}) }
}
