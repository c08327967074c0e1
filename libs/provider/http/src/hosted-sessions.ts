/** Answers of a provider about card reveals and identity checks, as the port's unions. */

import { cardReveal, type hostedPage, identityCheck } from '@financial-agents/provider-api/shapes/hosted'
import type { StartedHostedSession } from '@financial-agents/provider-port/hosted-session'
import type { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { findRefusal, unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

export function cardRevealOf(result: ExchangeResult, reference: string, card: string): StartedHostedSession {
  return startedOf(result, reference, (body) => {
    const reveal = findShape(cardReveal, body)?.card_reveal
    return reveal?.card_ref === card ? { ...reveal, session: reveal.reveal_ref } : undefined
  })
}

export function identityCheckOf(result: ExchangeResult, reference: string): StartedHostedSession {
  return startedOf(result, reference, (body) => {
    const check = findShape(identityCheck, body)?.identity_check
    return check && { ...check, session: check.check_ref }
  })
}

function startedOf(
  result: ExchangeResult,
  reference: string,
  find: (body: string) => (z.infer<typeof hostedPage> & { session: string }) | undefined,
): StartedHostedSession {
  const refusal = findRefusal(result)
  if (refusal !== undefined) return { type: 'refused', ...refusal }
  const reason = unavailableReason(result, [200, 201])
  if (reason !== undefined || result.type !== 'answered') {
    return { type: 'unavailable', reason: reason ?? 'provider_response_invalid' }
  }
  const started = find(result.body)
  if (started === undefined || started.client_reference !== reference) {
    return { type: 'unavailable', reason: 'provider_response_invalid' }
  }
  const { session, page_url, expires_at } = started
  return { type: 'started', session, hostedUrl: page_url, expiresAt: new Date(expires_at) }
}
