/** Random values, equal for equal seeds, and requests made from good ones by a few random changes. */

import { createHash } from 'node:crypto'
import type { Parameters } from './party.ts'

export type Random = {
  /** A whole number below `limit`. */
  below: (limit: number) => number
  pick: <Item>(items: readonly Item[]) => Item
  scrap: () => string
}

const scraps = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufffd',
  '\u{1f511}',
  '\u202eabc',
  '\r\nX-Injected: y',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '"',
  '\\',
  '%',
  '%00',
  '%ff',
  '../..',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  '[]',
  '{}',
  '{"id_token":{"acr":{"essential":true}}}',
  'none',
  'login consent',
  'openid',
  'code',
  'S256',
  'https://evil.example/',
  'http://[::1',
  'urn:ietf:params:oauth:request_uri:x',
  'eyJhbGciOiJub25lIn0.e30.',
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOjF9.AAAA',
  'a.b.c',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '🔑'.repeat(65),
]

export const names = [
  'client_id',
  'response_type',
  'response_mode',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'dpop_jkt',
  'resource',
  'prompt',
  'max_age',
  'claims',
  'authorization_details',
  'request',
  'request_uri',
  'registration',
  'id_token_hint',
  'login_hint',
  'acr_values',
  'ui_locales',
  'display',
  'audience',
  'grant_type',
  'code',
  'refresh_token',
  'device_code',
  'user_code',
  'token',
  'token_type_hint',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'csrf_token',
  'xsrf',
  'confirm',
  'abort',
  'decision',
  'per_payment',
  '__proto__',
  'constructor',
  'x[]',
  'x[y]',
  '',
]

/** Returns the random source of a seed. */
export function randomOf(seed: string): Random {
  let count = 0
  const below = (limit: number) => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() % limit
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  return { below, pick, scrap: () => (below(4) === 0 ? `${pick(scraps)}${pick(scraps)}` : pick(scraps)) }
}

/** Changes, drops, repeats or adds up to three members. */
export function mutate(parameters: Parameters, { below, pick, scrap }: Random): Parameters {
  const entries = new Map<string, string | string[] | undefined>(Object.entries(parameters))
  for (let changes = below(4); changes > 0; changes -= 1) {
    const name = below(3) === 0 ? pick(names) : pick([...entries.keys(), 'state'])
    const before = entries.get(name)
    entries.set(
      name,
      pick([undefined, scrap(), scrap(), [scrap(), scrap()], [before ?? '', scrap()].flat(), scrap().slice(0, 20)]),
    )
  }
  return Object.fromEntries(entries)
}

/** Encodes text for a request line. */
export function inQuery(text: string, raw: boolean): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return (raw ? encoded.replaceAll('%25', '%') : encoded).replace(/[^\x21-\x7e]/g, '')
}

export function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').trim()
}
