/** Answers of a provider about card reveals and identity checks, as the port's unions. */

import type { StartedHostedSession } from '@financial-agents/provider-port/hosted-session'
import type { z } from 'zod'
import { cardReveal, type hostedPage, identityCheck } from './api/hosted.ts'
import type { ExchangeResult } from './exchange.ts'
import { findRefusal, unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

export function cardRevealOf(result: ExchangeResult, reference: string, card: string): StartedHostedSession {
  return startedOf(result, reference, (body) => {
    const reveal = findShape(cardReveal, body)?.data
    return reveal?.card_reference === card ? reveal : undefined
  })
}

export function identityCheckOf(result: ExchangeResult, reference: string): StartedHostedSession {
  return startedOf(result, reference, (body) => findShape(identityCheck, body)?.data)
}

function startedOf(
  result: ExchangeResult,
  reference: string,
  find: (body: string) => z.infer<typeof hostedPage> | undefined,
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
  const { reference: session, hosted_url: hostedUrl, expires_at } = started
  return { type: 'started', session, hostedUrl, expiresAt: new Date(expires_at) }
}
