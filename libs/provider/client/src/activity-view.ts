/**
 * A movement as the API shows it: with our own identifier, and with texts made fit to be shown.
 *
 * Invariant: the identifier is a pairwise keyed hash. The same movement has another identifier for another subject, and the
 * identifier does not reveal the provider's reference.
 */

import { createHmac, createSecretKey } from 'node:crypto'
import type { ActivityItem, CardActivityItem } from '@financial-agents/contract/schemas/activity'
import type { ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { hideName, initialsOf, isMerchant } from './masked-name.ts'
import { brokenContract } from './reader.ts'
import { sanitised } from './sanitised.ts'

/** Shows movements to one subject at a time. */
export type ActivityView = {
  /** @param subject the client's pairwise identifier of the owner. @throws Problem response_contract_failed */
  show(subject: string, item: ProviderActivityItem): ActivityItem
  /** Shows a movement of a known card in the same way, with the card's id and the merchant's category. */
  showOnCard(subject: string, item: ProviderActivityItem, cardId: string): CardActivityItem
}

/** @param activityKey 32 bytes, the same on all replicas and for ever: identifiers depend on it */
export function createActivityView(activityKey: Buffer): ActivityView {
  const key = createSecretKey(activityKey)
  const idOf = (subject: string, reference: string) =>
    createHmac('sha256', key).update(prefixed(subject)).update(prefixed(reference)).digest('base64url')

  function show(subject: string, item: ProviderActivityItem): ActivityItem {
    const { source, direction, amount, status } = item
    const id = idOf(subject, item.reference)
    const occurred_at = utcOf(item.occurred_at)
    return { id, source, direction, amount: { ...amount }, status, ...textsOf(item), occurred_at }
  }

  return {
    show,
    showOnCard: (subject, item, card_id) => {
      const category = item.merchant_category
      const merchant_category = category !== null && /^\d{4}$/.test(category) ? category : null
      return { ...show(subject, item), card_id, merchant_category }
    },
  }
}

function textsOf(item: ProviderActivityItem): Pick<ActivityItem, 'description' | 'counterparty_name'> {
  const { description, counterparty_name: name } = item
  if (name === null) return { description: sanitised(description), counterparty_name: null }
  if (isMerchant(item)) return { description: sanitised(description), counterparty_name: sanitised(name) }
  return { description: sanitised(description, hideName(name)), counterparty_name: initialsOf(name) }
}

function utcOf(timestamp: string): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) throw brokenContract(new Error('a movement happened at no moment'))
  return time.toISOString()
}

/** The text with its length before it, so that no two pairs give the same bytes. */
function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
