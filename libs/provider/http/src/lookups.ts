/**
 * The proof that a search of a provider gives about an operation, as the port's union. Pure functions.
 *
 * Invariant: proof is positive. One record of our reference with a final status settles the operation, and so does the final
 * state of the resource. More than one record, a record other than the acknowledged one, or a record that contradicts itself
 * is ambiguous.
 */

import { providerPath } from '@financial-agents/provider-api/paths'
import { actionSearchAnswer, type ProviderRecord, searchAnswer } from '@financial-agents/provider-api/shapes/records'
import type { LookupRequest, LookupResult } from '@financial-agents/provider-port/port'
import type { ExchangeResult } from './exchange.ts'
import type { KindRow } from './kinds.ts'
import { contradicts, factsOf, unavailableReason } from './outcomes.ts'
import { failureCodeOf } from './records.ts'
import { findShape } from './shapes.ts'

/** Searches by our reference and by the provider's own, so that a duplicate of either shows. */
export function searchPath(
  row: KindRow,
  { reference, upstreamReference, target }: Pick<LookupRequest, 'reference' | 'upstreamReference' | 'target'>,
): string {
  const query =
    row.proof === 'record'
      ? { client_reference: reference, provider_ref: upstreamReference }
      : { action_reference: reference, action_ref: upstreamReference, provider_ref: target?.upstreamReference ?? null }
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${providerPath(row.search)}?${new URLSearchParams(given).toString()}`
}

/** The records that may be the operation's, and the states of the resources that the actions changed. */
type Evidence = {
  readonly records: readonly ProviderRecord[]
  readonly states: readonly { readonly ref: string; readonly state: string }[]
  readonly more: boolean
  readonly asOf: string | undefined
}

export function resultOfLookup(result: ExchangeResult, row: KindRow, request: LookupRequest): LookupResult {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered') {
    return { type: 'unavailable', reason: reason ?? 'provider_response_invalid' }
  }
  const evidence = findEvidence(row, result.body)
  // An empty page that is incomplete is not an answer.
  if (evidence === undefined || (evidence.more && evidence.records.length === 0)) {
    return { type: 'unavailable', reason: 'provider_response_invalid' }
  }
  return validate(evidence, row, request)
}

function validate(evidence: Evidence, row: KindRow, request: LookupRequest): LookupResult {
  const { read } = row
  const observed = observedText(read, evidence)
  const ambiguous = (reason: string): LookupResult => ({ type: 'ambiguous', read, reason, observed })
  const [record, ...others] = evidence.records
  if (others.length > 0 || (record !== undefined && evidence.more)) return ambiguous('more than one record')
  if (record === undefined) return withoutRecord(evidence, row, request, observed)
  if (record.client_reference !== request.reference) return ambiguous('record of another reference')
  if (request.upstreamReference !== null && record.provider_ref !== request.upstreamReference) {
    return ambiguous('another record than the one acknowledged')
  }
  const facts = factsOf(record, row)
  if (contradicts(record) || facts === undefined) return ambiguous('record contradicts itself')

  const found = { type: 'found', read, upstreamReference: record.provider_ref, observed } as const
  if (record.status === 'pending') return { ...found, state: 'pending' }
  if (record.status === 'active') return { ...found, state: 'succeeded', ...facts }
  return { ...found, state: 'failed', failureCode: failureCodeOf(record.failure_reason) }
}

/** Without a record of our reference, only the final state of the resource is proof. */
function withoutRecord(
  { states, asOf }: Evidence,
  { read, absorbing }: KindRow,
  { target, upstreamReference }: LookupRequest,
  observed: string,
): LookupResult {
  const named = target === undefined ? states : states.filter(({ ref }) => ref === target.upstreamReference)
  const [absorbed, ...others] = named.filter(({ state }) => state === absorbing)
  // More than one resource in the final state is a contradiction, so the answer proves nothing about ours.
  const providerTime = asOf !== undefined && others.length === 0 ? { providerTime: new Date(asOf) } : {}
  if (absorbed === undefined || others.length > 0) return { type: 'not_found', read, observed, ...providerTime }
  const upstream = upstreamReference ?? absorbed.ref
  return { type: 'found', read, state: 'succeeded', upstreamReference: upstream, observed }
}

function findEvidence({ proof }: KindRow, body: string): Evidence | undefined {
  if (proof === 'record') {
    const answer = findShape(searchAnswer, body)
    return answer && { records: answer.results, states: [], more: answer.more, asOf: answer.as_of }
  }
  const answer = findShape(actionSearchAnswer, body)
  return (
    answer && {
      records: answer.results.flatMap(({ actions }) => actions),
      states: answer.results.map(({ provider_ref, state }) => ({ ref: provider_ref, state })),
      more: answer.more,
      asOf: answer.as_of,
    }
  )
}

/** Members in a fixed order and sorted records, so that equal facts give equal text. No member is personal. */
function observedText(read: string, { records, states, more }: Evidence): string {
  const lines = records.map(({ provider_ref, client_reference, status, settled_at, failure_reason }) =>
    JSON.stringify({ provider_ref, client_reference, status, settled_at, failure_reason }),
  )
  const named = states.map(({ ref, state }) => `${ref}=${state}`).toSorted()
  const on = named.length === 0 ? '' : ` on {${named.join(',')}}`
  return `${read} more=${more} [${lines.toSorted().join(',')}]${on}`
}
