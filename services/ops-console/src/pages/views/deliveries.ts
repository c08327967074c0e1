/** The notifications of an operation, and the state of each. */

import type { WebhookDelivery } from '@financial-agents/contract/schemas/webhook'
import { type Html, html } from '@financial-agents/pages/html'
import { status, type Tone } from '@financial-agents/pages/parts'
import { exactly, instant } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }

const words: { readonly [S in WebhookDelivery['status']]: readonly [Tone, string] } = {
  pending: ['neutral', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
}

export function deliveryTable(deliveries: readonly WebhookDelivery[], now: Date): Html {
  if (deliveries.length === 0) return html`<p class="none">${texts.deliveries.noSubscription}</p>`
  const rows = deliveries.map((delivery) => {
    const { id, event_type, attempts, last_status_code, next_attempt_at, created_at } = delivery
    return html`<tr data-key="${id}"><th scope="row"><code>${event_type}</code><br><span class="id">${id}</span></th>
<td>${status(...words[delivery.status])}</td>
<td data-label="Attempts">${attempts}${last_status_code === null ? '' : `, the last answered ${last_status_code}`}</td>
<td data-label="Since">${exactly(new Date(created_at))}</td>
<td data-label="Next attempt">${next_attempt_at === null ? 'None' : instant(new Date(next_attempt_at), now)}</td></tr>`
  })
  return html`<table class="list"><thead><tr><th scope="col">Notification</th><th scope="col">State</th><th scope="col">Attempts</th><th scope="col">Since</th><th scope="col">Next attempt</th></tr></thead><tbody>${rows}</tbody></table>`
}
