/**
 * Cards at Increase. Creating a card has an idempotency key. Freezing, unfreezing and closing change the status of a
 * card by PATCH, which has none. Of these states, only `canceled` is proof, because it is final.
 */

import { z } from 'zod'
import type { KindRow } from './kind-row.ts'
import { unsayable } from './outcomes.ts'

const Payload = z.object({
  label: z.string().max(200).nullish(),
  type: z.literal('virtual'),
  currency: z.literal('USD'),
})

const Card = z.object({
  type: z.literal('card'),
  id: z.string().min(1).max(200),
  account_id: z.string(),
  idempotency_key: z.string().nullable(),
  last4: z.string().regex(/^\d{4}$/),
  status: z.string(),
})

export const cardCreate: KindRow = {
  async say({ person: { account_id }, submission: { payload, reference } }) {
    const { data } = Payload.safeParse(payload)
    if (data === undefined) return unsayable
    const body = data.label ? { account_id, description: data.label } : { account_id }
    return { type: 'said', call: (client) => client.cards.create(body, { idempotencyKey: reference }) }
  },
  findStand(body) {
    const { data } = Card.safeParse(body)
    if (data === undefined) return undefined
    const { id, idempotency_key: key, account_id: account, last4 } = data
    // The status may have changed since: the card exists, and that is what the operation asked for.
    return { id, key, account, state: 'succeeded', status: 'created', resource: { last_four: last4 } }
  },
  read: 'card_by_idempotency_key',
  proof: 'key',
  lists: [(client, query) => client.cards.list(query)],
}

export const cardFreeze = statusChange('disabled')
export const cardUnfreeze = statusChange('active')
export const cardClose = { ...statusChange('canceled'), absorbing: 'canceled' }

function statusChange(status: 'active' | 'disabled' | 'canceled') {
  return {
    say: async ({ target, submission: { reference } }) => ({
      type: 'said',
      // The key only marks the request, for the count of the fake. Increase does not keep it for PATCH.
      call: (client) => client.cards.update(target, { status }, { idempotencyKey: reference }),
    }),
    findStand(body) {
      const { data } = Card.safeParse(body)
      if (data?.status !== status) return undefined
      return { id: data.id, key: null, account: data.account_id, state: 'succeeded', status }
    },
    read: 'card_read',
    proof: 'state',
    absorbing: undefined,
  } as const satisfies KindRow
}
