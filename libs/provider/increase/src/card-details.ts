/**
 * Card reveals: the address of the iframe that shows a card's details. Everybody who has the address, including the
 * client, sees the number until the address expires. Owners are promised that a client sees no number. A reveal is
 * therefore refused unless the setting `CARD_DETAILS=iframe` says that the installation's own client is the only one.
 */

import type { CardRevealRequest, StartedHostedSession } from '@financial-agents/provider-port/hosted-session'
import { z } from 'zod'
import type { Asking } from './client.ts'
import { findRefusal, readOf } from './outcomes.ts'
import { findPerson } from './person.ts'

const Iframe = z.object({
  type: z.literal('card_iframe_url'),
  iframe_url: z.url({ protocol: /^https$/ }),
  expires_at: z.iso.datetime({ offset: true }),
})

const Card = z.object({ id: z.string(), account_id: z.string() })

export async function startCardReveal(
  asking: Asking,
  { card, credentials, reference, timeoutMs, traceHeaders }: CardRevealRequest,
  reveals: boolean,
): Promise<StartedHostedSession> {
  if (!reveals) return refused('This installation shows no card details of Increase.')
  const person = findPerson(credentials)
  if (person === undefined) return { type: 'unavailable', reason: 'provider_authentication_failed' }
  const id = card.upstreamReference
  const endMs = performance.now() + timeoutMs
  const ask = (call: Parameters<Asking['ask']>[0]) =>
    asking.ask(call, { timeoutMs: Math.floor(endMs - performance.now()), traceHeaders })
  const read = await ask((client) => client.cards.retrieve(id))
  const refusal = findRefusal(read)
  if (refusal !== undefined) return refused(`Increase shows no such card (${refusal.type}).`)
  const found = readOf(read, Card)
  if (found.type !== 'ok') return unavailable(found)
  if (found.data.id !== id || found.data.account_id !== person.account_id)
    return refused('The card does not belong to the account of the connection.')
  // With this key, a repetition returns the same iframe.
  const made = await ask((client) => client.cards.createDetailsIframe(id, {}, { idempotencyKey: reference }))
  const denied = findRefusal(made)
  if (denied !== undefined) return refused(`Increase refused it (${denied.type}).`)
  const iframe = readOf(made, Iframe)
  if (iframe.type !== 'ok') return unavailable(iframe)
  const { iframe_url, expires_at } = iframe.data
  return { type: 'started', session: reference, hostedUrl: iframe_url, expiresAt: new Date(expires_at) }
}

function refused(failureDetail: string): StartedHostedSession {
  return { type: 'refused', failureCode: 'provider_refused', failureDetail }
}

function unavailable(answer: Exclude<ReturnType<typeof readOf>, { type: 'ok' }>): StartedHostedSession {
  return { type: 'unavailable', reason: answer.type === 'unavailable' ? answer.reason : 'provider_response_invalid' }
}
