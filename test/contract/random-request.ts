/** Random requests, equal for equal seeds. Most are almost good, so that they pass the first checks. */

import { createHash } from 'node:crypto'
import { beneficiaryBody } from '../stack.test-helper.ts'
import type { HeaderList } from './hand-client.ts'

export type RandomRequest = {
  method: string
  path: string
  query: string
  headers: HeaderList
  body: unknown
  /** True: sent with token and proof. */
  signed: boolean
}

const paths = [
  '/v1/operations',
  '/v1/operations/x',
  '/v1/beneficiaries',
  '/v1/beneficiaries/x',
  '/v1/beneficiaries/payout-schemas',
  '/v1/beneficiaries/payout-schemas/sepa_pt_eur',
  '/v1/beneficiaries/address-countries',
  '/v1/authorization',
  '/v1/identity',
  '/v1/session',
  '/v1/confirmation-intents',
  '/v1/confirmation-intents/x',
  '/v1/health',
  '/v1/metadata',
  '/v1/public-config',
  '/oauth/token',
  '/oauth/jwks',
  '/.well-known/oauth-authorization-server',
  '/problems/x',
  '/v1',
  '/',
]
/** The paths of most random creations. */
const creations = ['/v1/beneficiaries', '/v1/beneficiaries', '/v1/confirmation-intents']
const methods = ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'QUERY']
const scraps = [
  '',
  '0',
  '-1',
  '1e400',
  '\u0000',
  '%00',
  '%',
  '%ff',
  '%f0%9f%98%80',
  '../',
  '..%2f',
  '<script>',
  "' OR 1=1 --",
  '${x}',
  '{{x}}',
  '\ud800',
  '__proto__',
  'constructor',
  'null',
  'true',
  '[]',
  '{}',
  'a'.repeat(300),
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  '\u202e',
  'é',
  '\r\nX: y',
  '"',
  '\\',
  ';',
  ',',
]
const names = [
  'limit',
  'cursor',
  'state',
  'kind',
  'resource_id',
  'idempotency_key',
  'created_after',
  'country',
  'currency',
  'name',
  '__proto__',
  'x[]',
  '',
]

type Random = {
  /** A whole number below `limit`. */
  below: (limit: number) => number
  pick: <Item>(items: readonly Item[]) => Item
  scrap: () => string
}

function randomOf(name: string): Random {
  let count = 0
  const below = (limit: number) => createHash('sha256').update(`${name} ${count++}`).digest().readUInt32BE() % limit
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  return { below, pick, scrap: () => (below(3) === 0 ? `${pick(scraps)}${pick(scraps)}` : pick(scraps)) }
}

export function randomRequest(seed: string, index: number): RandomRequest {
  const random = randomOf(`${seed} ${index}`)
  const { below, pick, scrap } = random
  const creates = below(3) === 0
  const method = creates ? 'POST' : pick(methods)
  const path = creates ? pick(creations) : pick(paths) + (below(6) ? '' : inUri(scrap(), below(2)).replace(/[?#]/g, ''))
  const parameters = Array.from({ length: 1 + below(3) }, () => `${pick(names)}=${inUri(scrap(), below(2))}`)
  return {
    method,
    path,
    query: creates || below(2) ? '' : `?${parameters.join('&')}`,
    headers: randomHeaders(random, creates || below(2) === 0),
    body: method === 'GET' && below(4) ? undefined : randomBody(random),
    signed: below(5) > 0,
  }
}

const contentTypes = ['text/plain', 'application/json; charset=utf-16', '', ';', 'application/x-www-form-urlencoded']

function randomHeaders({ below, pick, scrap }: Random, keyed: boolean): HeaderList {
  const headers: HeaderList = []
  if (keyed) headers.push(['idempotency-key', below(4) ? `key-of-random-request-${below(12)}` : inHeader(scrap())])
  if (below(6) === 0) headers.push(['content-type', pick([...contentTypes, 'application/json'])])
  if (below(9) === 0) headers.push(['content-encoding', pick(['gzip', 'identity', ''])])
  for (const name of ['x-request-id', 'traceparent', 'origin', 'accept', 'cookie', 'authorization', 'dpop'])
    if (below(9) === 0) headers.push([name, inHeader(scrap())])
  return headers
}

function randomBody(random: Random): unknown {
  const { below, pick, scrap } = random
  const member = pick(['name', 'country', 'details', 'nickname', 'payout_schema_id', scrap()])
  const changed = { ...beneficiaryBody(), [member]: randomValue(random, 0) }
  const named = beneficiaryBody(`Name ${below(3)}`)
  const cut = JSON.stringify(changed).slice(below(40))
  const request = { path: pick(['/v1/service-connections/current', scrap()]), ...(below(3) ? {} : { body: changed }) }
  const intent = { action: pick(['service_disconnect', 'service_disconnect', 'transfer', scrap()]), request }
  return pick([intent, undefined, randomValue(random, 0), changed, beneficiaryBody(), named, scrap(), cut])
}

function randomValue(random: Random, depth: number): unknown {
  const { below, pick, scrap } = random
  if (depth > 3 || below(3) > 0)
    return pick([scrap(), below(1_000_000) - 500_000, null, below(2) === 0, below(1_000) / 7])
  const members = Array.from({ length: below(4) }, () => [scrap(), randomValue(random, depth + 1)] as const)
  return below(2) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** Encodes text for a request line; `raw` keeps percent signs as they are. */
function inUri(text: string, raw: number): string {
  const encoded = encodeURI(text.toWellFormed())
  return (raw ? encoded.replaceAll('%25', '%') : encoded).replace(/[^\x21-\x7e]/g, '')
}

function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').trim()
}
