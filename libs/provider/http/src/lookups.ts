/**
 * The proof that a search of a provider gives about an operation, as the port's union. Pure functions.
 *
 * Invariant: proof is positive. One record of our reference with a final status settles the operation, and so does the final
 * state of the resource. More than one record, a record other than the acknowledged one, or a record that contradicts itself
 * is ambiguous.
 */

import type { LookupRequest, LookupResult } from '@financial-agents/provider-port/port'
import { providerPath } from './api/paths.ts'
import { actionSearchAnswer, type ProviderRecord, searchAnswer } from './api/records.ts'
import type { ExchangeResult } from './exchange.ts'
import type { KindRow } from './kinds.ts'
import { contradicts, factsOf, failureCodeOf, unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

/** Searches by our reference and by the provider's own, so that a duplicate of either shows. */
export function searchPath(
  row: KindRow,
  { reference, upstreamReference, target }: Pick<LookupRequest, 'reference' | 'upstreamReference' | 'target'>,
): string {
  const query =
    row.proof === 'record'
      ? { client_reference: reference, reference: upstreamReference }
      : {
          action_client_reference: reference,
          action_reference: upstreamReference,
          reference: target?.upstreamReference ?? null,
        }
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${providerPath(row.search)}?${new URLSearchParams(given).toString()}`
}

/** The records that may be the operation's, and the states of the resources that the actions changed. */
type Evidence = {
  readonly records: readonly ProviderRecord[]
  readonly states: readonly { readonly reference: string; readonly state: string }[]
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
  return proofOf(evidence, row, request)
}

function proofOf(evidence: Evidence, row: KindRow, request: LookupRequest): LookupResult {
  const { read } = row
  const observed = observedText(read, evidence)
  const ambiguous = (reason: string): LookupResult => ({ type: 'ambiguous', read, reason, observed })
  const [record, ...others] = evidence.records
  if (others.length > 0 || (record !== undefined && evidence.more)) return ambiguous('more than one record')
  if (record === undefined) return withoutRecord(evidence, row, request, observed)
  if (record.client_reference !== request.reference) return ambiguous('record of another reference')
  if (request.upstreamReference !== null && record.reference !== request.upstreamReference) {
    return ambiguous('another record than the one acknowledged')
  }
  const facts = factsOf(record, row)
  if (contradicts(record) || facts === undefined) return ambiguous('record contradicts itself')

  const found = { type: 'found', read, upstreamReference: record.reference, observed } as const
  if (record.status === 'pending') return { ...found, state: 'pending' }
  if (record.status === 'succeeded') return { ...found, state: 'succeeded', ...facts }
  return { ...found, state: 'failed', failureCode: failureCodeOf(record.failure_code) }
}

/** Without a record of our reference, only the final state of the resource is proof. */
function withoutRecord(
  { states, asOf }: Evidence,
  { read, absorbing }: KindRow,
  { target, upstreamReference }: LookupRequest,
  observed: string,
): LookupResult {
  const named = target === undefined ? states : states.filter(({ reference }) => reference === target.upstreamReference)
  const [absorbed, ...others] = named.filter(({ state }) => state === absorbing)
  // More than one resource in the final state is a contradiction, so the answer proves nothing about ours.
  const providerTime = asOf !== undefined && others.length === 0 ? { providerTime: new Date(asOf) } : {}
  if (absorbed === undefined || others.length > 0) return { type: 'not_found', read, observed, ...providerTime }
  const upstream = upstreamReference ?? absorbed.reference
  return { type: 'found', read, state: 'succeeded', upstreamReference: upstream, observed }
}

function findEvidence({ proof }: KindRow, body: string): Evidence | undefined {
  if (proof === 'record') {
    const answer = findShape(searchAnswer, body)
    return answer && { records: answer.data, states: [], more: answer.has_more, asOf: answer.as_of }
  }
  const answer = findShape(actionSearchAnswer, body)
  return (
    answer && {
      records: answer.data.flatMap(({ actions }) => actions),
      states: answer.data.map(({ reference, state }) => ({ reference, state })),
      more: answer.has_more,
      asOf: answer.as_of,
    }
  )
}

/** Members in a fixed order and sorted records, so that equal facts give equal text. No member is personal. */
function observedText(read: string, { records, states, more }: Evidence): string {
  const lines = records.map(({ reference, client_reference, status, settled_at, failure_code }) =>
    JSON.stringify({ reference, client_reference, status, settled_at, failure_code }),
  )
  const named = states.map(({ reference, state }) => `${reference}=${state}`).toSorted()
  const on = named.length === 0 ? '' : ` on {${named.join(',')}}`
  return `${read} more=${more} [${lines.toSorted().join(',')}]${on}`
}
