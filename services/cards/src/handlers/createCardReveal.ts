/**
 * POST /v1/cards/{card_id}/reveals: a visit to the provider's page that shows the card number. The request is committed
 * before the provider is asked. The address goes to the client alone, into no table and no log.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { Problem } from '@financial-agents/contract/problem'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Dependencies } from '../dependencies.ts'
import { recordReveal, recordRevealOpened } from '../reveal-store.ts'
import { findSettledNamedCard } from '../settled-cards.ts'

export function createCardReveal(dependencies: Dependencies): Handlers<typeof cardsRoutes>['createCardReveal'] {
  return async ({ params }, context) => {
    checkCapability(dependencies.enabledCapabilities, 'cards.reveal')
    const { owner_id, client_id } = context.principal
    const card = await findSettledNamedCard(dependencies, owner_id, params.card_id)
    if (!card) throw new Problem('card_not_found')
    if (card.state !== 'active' || card.upstream_reference === null) throw new Problem('card_not_active')
    const session = { id: randomUUIDv7(), card_id: card.id, owner_id, client_id }
    failpoint('reveal.before_commit')
    await recordReveal(dependencies.db, session, dependencies.clock.now())
    failpoint('reveal.after_commit')
    const { hostedUrl, expiresAt } = await openPage(dependencies, context, session.id, card.upstream_reference)
    failpoint('reveal_opened.before_commit')
    await recordRevealOpened(dependencies.db, session.id, expiresAt)
    failpoint('reveal_opened.after_commit')
    const expires_at = expiresAt.toISOString()
    return {
      id: session.id,
      card_id: card.id,
      expires_at,
      action_required: { kind: 'card_reveal', url: hostedUrl, expires_at, poll_after_ms: null },
    }
  }
}

async function openPage({ provider, reader }: Dependencies, context: HandlerContext, reference: string, card: string) {
  const asked = { reference, card: { upstreamReference: card } }
  const started = await reader.ask(context, (call) => provider.startCardReveal({ ...call, ...asked }), 'card_reveal')
  if (started.type === 'started') return started
  // The provider refused the connection, not this card.
  if (started.failureCode === 'provider_authentication_failed') throw reader.failureOf(context, started.failureCode)
  throw new Problem('card_reveal_refused', { cause: new Error(started.failureCode) })
}
