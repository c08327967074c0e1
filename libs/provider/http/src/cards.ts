/** Cards in the words of the Provider API. The adapter never asks for the whole card number. */

import type { ProviderCallName } from '@financial-agents/provider-api/calls'
import { z } from 'zod'
import type { KindRow } from './kinds.ts'

const CardPayload = z.object({
  label: z.string().nullish(),
  type: z.enum(['virtual', 'physical']),
  currency: z.string(),
})

const forms = { virtual: 'digital', physical: 'plastic' } as const

const cardRead = { search: 'findCards', read: 'card_read' } as const satisfies Partial<KindRow>

export const cardCreate: KindRow = {
  ...cardRead,
  call: 'createCard',
  findBody(reference, payload) {
    const parsed = CardPayload.safeParse(payload)
    if (!parsed.success) return undefined
    const { label, type, currency } = parsed.data
    return { client_reference: reference, title: label ?? null, form: forms[type], ccy: currency }
  },
  proof: 'record',
  findFacts: ({ brand, number_tail }) =>
    brand === undefined || number_tail === undefined ? undefined : { brand, last_four: number_tail },
}

const cardAction = (call: ProviderCallName) =>
  ({
    ...cardRead,
    call,
    findBody: (reference) => ({ client_reference: reference }),
    proof: 'action',
  }) as const satisfies KindRow

/** A freeze and an unfreeze may be under way together. `changed_at` shows which one was later and decides the card's state. */
const crossing = {
  findFacts: ({ settled_at }) => (settled_at === null ? undefined : { changed_at: new Date(settled_at).toISOString() }),
} as const satisfies Partial<KindRow>

export const cardFreeze: KindRow = { ...cardAction('pauseCard'), ...crossing }

export const cardUnfreeze: KindRow = { ...cardAction('resumeCard'), ...crossing }

export const cardClose: KindRow = { ...cardAction('endCard'), absorbing: 'ended' }
