/**
 * Compares `GET /v1/transfers` with the book. Every transfer that was answered with 202 is listed once, with its
 * requested terms and its outcome.
 */

import type { Accepted, Book } from './book.ts'
import { ask, decimal, type Player } from './cast.ts'

export type Transfer = {
  id: string
  operation_id: string
  kind: string
  state: string
  mandate_id: string | null
  amount: { amount: string; currency: string }
}

/** Reads all pages. */
export async function listTransfers(player: Player): Promise<Transfer[]> {
  const listed: Transfer[] = []
  for (let after = ''; ; ) {
    const { status, body } = await ask(player, 'GET', `/v1/transfers?limit=100${after}`)
    if (status !== 200) throw new Error(`the transfers of ${player.name} were refused: ${JSON.stringify(body)}`)
    listed.push(...body['items'])
    if (body['next_cursor'] === null) return listed
    after = `&cursor=${encodeURIComponent(body['next_cursor'])}`
  }
}

/**
 * Compares one client's list.
 *
 * @param done the executed payments of all clients
 */
export function validateList(
  player: Player,
  listed: readonly Transfer[],
  done: readonly Accepted[],
  { accepted }: Pick<Book, 'accepted'>,
): string[] {
  const isMine = (one: Accepted) => one.player === player.clientId
  const shown = new Map(listed.map((one) => [one.operation_id, one]))
  const [paid, mine] = [new Set(done.filter(isMine).map(({ id }) => id)), [...accepted.values()].filter(isMine)]
  const about = (id: string) => `transfer ${id} of ${player.clientId}`
  return [
    ...(shown.size < listed.length ? [`${player.clientId} is shown a transfer twice`] : []),
    ...[...mine, ...done.filter(isMine)].flatMap((one) =>
      differences(player, one, shown.get(one.id)).map((what) => `${about(one.id)} ${what}`),
    ),
    ...listed
      .filter(({ operation_id: id, state }) => (state === 'succeeded') !== paid.has(id))
      .map(
        ({ operation_id: id, state }) =>
          `${about(id)} is shown as ${state}, and was${paid.has(id) ? '' : ' not'} executed`,
      ),
    ...listed
      .filter(({ operation_id: id }) => (accepted.get(id)?.player ?? player.clientId) !== player.clientId)
      .map(({ operation_id: id }) => `${about(id)} is somebody else's`),
  ]
}

function differences({ currency }: Player, asked: Accepted, shown: Transfer | undefined): string[] {
  if (!shown) return ['is not shown']
  const { amount, mandate_id, kind } = shown
  const isAsAsked = Number(amount.amount) === Number(decimal(asked.cents))
  return [
    ...(isAsAsked && amount.currency === currency
      ? []
      : [`is shown as ${amount.amount} ${amount.currency}, and was ${decimal(asked.cents)}`]),
    ...(mandate_id === asked.mandateId
      ? []
      : [`is shown under mandate ${mandate_id}, and was under ${asked.mandateId}`]),
    ...(kind === (asked.mandateId === null ? 'transfer' : 'mandate_transfer') ? [] : [`is shown as a ${kind}`]),
  ]
}
