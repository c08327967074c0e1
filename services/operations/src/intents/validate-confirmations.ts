/**
 * Validates the intents that the offers of one batch name, one offer after another. The rows stay locked until the
 * transaction ends, so no other transaction uses or decides them meanwhile.
 */

import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Offer } from '../offer.ts'
import { lockIntents } from '../store/confirmation-intents.ts'
import type { Refused } from '../validate.ts'
import { validateIntent } from './validate-intent.ts'

/** Returns the offers that their confirmation does not allow. Offers without an intent cost nothing. */
export async function validateConfirmations(
  tx: Queryable,
  offers: readonly Offer[],
  now: Date,
): Promise<Map<Offer, Refused>> {
  const refusals = new Map<Offer, Refused>()
  const named = offers.flatMap(({ request }) => request.confirmation?.intent_id ?? []).filter(isUuid)
  const intents = await lockIntents(tx, new Set(named.map((id) => id.toLowerCase())))
  const takers = new Map<string, Offer>()
  for (const offer of offers) {
    const { confirmation, principal, request_hash } = offer.request
    const { binding_id } = offer
    if (!confirmation) continue
    const id = confirmation.intent_id.toLowerCase()
    const request = { ...principal, binding_id, action: confirmation.action, request_hash }
    const code = validateIntent(intents.get(id), request, now)
    const rival = takers.get(id)
    if (code) refusals.set(offer, { refusal: { code }, rivals: [] })
    else if (rival) refusals.set(offer, { refusal: { code: 'confirmation_already_used' }, rivals: [rival] })
    else takers.set(id, offer)
  }
  return refusals
}
