/**
 * The proof that reads of Increase give about an operation, as the port's union.
 *
 * Invariant: proof is positive. One object with our idempotency key, of the connection's own account, settles the operation, and so
 * does the final state of a card. Increase advises against concluding from an empty list, so `not_found` proves nothing: it has no time.
 */

import type { LookupRequest, LookupResult } from '@financial-agents/provider-port/port'
import { z } from 'zod'
import type { Call } from './client.ts'
import type { KindRow, Saying, Stand } from './kind-row.ts'
import { readOf } from './outcomes.ts'
import type { Person } from './person.ts'

const Page = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() })

type ByKey = Extract<KindRow, { proof: 'key' }>
type ByState = Extract<KindRow, { proof: 'state' }>

export async function lookUpByKey(
  row: ByKey,
  request: LookupRequest,
  person: Person,
  ask: Saying['ask'],
): Promise<LookupResult> {
  const query = { idempotency_key: request.reference, account_id: person.account_id, limit: 2 }
  const stands: Stand[] = []
  for (const list of row.lists) {
    const page = readOf(await ask((client) => list(client, query)), Page)
    if (page.type !== 'ok') return unavailable(page)
    const read = page.data.data.map((object) => row.findStand(object))
    const known = read.filter((stand) => stand !== undefined)
    if (known.length < read.length) return { type: 'unavailable', reason: 'provider_response_invalid' }
    if (known.length === 0 && page.data.next_cursor !== null)
      return { type: 'unavailable', reason: 'provider_response_invalid' }
    stands.push(...known)
  }
  return validate(stands, row, request, person)
}

function validate(stands: readonly Stand[], { read }: ByKey, request: LookupRequest, person: Person): LookupResult {
  const lines = stands.map(({ id, key, status, state }) => JSON.stringify({ id, key, status, state }))
  const observed = `${read} [${lines.toSorted().join(',')}]`
  const ambiguous = (reason: string): LookupResult => ({ type: 'ambiguous', read, reason, observed })
  const [stand, ...others] = stands
  if (stand === undefined) return { type: 'not_found', read, observed }
  if (others.length > 0) return ambiguous('more than one object')
  if (stand.key !== request.reference) return ambiguous('object of another reference')
  if (stand.account !== null && stand.account !== person.account_id) return ambiguous('object of another account')
  if (request.upstreamReference !== null && stand.id !== request.upstreamReference)
    return ambiguous('another object than the one acknowledged')
  const found = { type: 'found', read, upstreamReference: stand.id, observed } as const
  if (stand.state === 'failed')
    return { ...found, state: 'failed', failureCode: stand.failureCode ?? 'provider_refused' }
  return { ...found, state: stand.state, ...(stand.resource && { resource: stand.resource }) }
}

const CardState = z.object({ id: z.string(), account_id: z.string(), status: z.string() })

export async function lookUpByState(
  { read, absorbing }: ByState,
  { target }: LookupRequest,
  person: Person,
  ask: Saying['ask'],
): Promise<LookupResult> {
  // Without the card nothing can be read, because Increase keeps no reference of a change.
  if (target === undefined) return { type: 'unavailable', reason: 'submission_invalid' }
  const retrieve: Call = (client) => client.cards.retrieve(target.upstreamReference)
  const card = readOf(await ask(retrieve), CardState)
  if (card.type !== 'ok') return unavailable(card)
  const { id, account_id, status } = card.data
  const observed = `${read} ${JSON.stringify({ id, status })}`
  if (id !== target.upstreamReference || account_id !== person.account_id)
    return { type: 'ambiguous', read, reason: 'card of another account', observed }
  if (absorbing === undefined || status !== absorbing) return { type: 'not_found', read, observed }
  return { type: 'found', read, state: 'succeeded', upstreamReference: id, observed }
}

function unavailable(answer: Exclude<ReturnType<typeof readOf>, { type: 'ok' }>): LookupResult {
  return { type: 'unavailable', reason: answer.type === 'unavailable' ? answer.reason : 'provider_response_invalid' }
}
