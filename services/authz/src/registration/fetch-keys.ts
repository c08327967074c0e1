/**
 * Fetches the keys at a client's registered `jwks_uri`, with the same guarded fetch as for its logo. A set may have members and
 * keys for other uses (RFC 7517, 5): only public ES256 keys that may verify signatures are taken.
 */

import type { KeyObject } from 'node:crypto'
import type { Provider } from 'oidc-provider'
// The library's own way to the network, with its guard of private addresses. It has no public name.
import fetchRequest from 'oidc-provider/lib/helpers/fetch_request.js'
import { z } from 'zod'
import { verifyingKey } from './client-keys.ts'

export type PublishedKey = { kid: string | undefined; key: KeyObject }

const keySet = z.object({ keys: z.array(z.unknown()) })

/** @throws if the answer is not a JWK Set */
export async function fetchKeys(provider: Provider, url: string): Promise<PublishedKey[]> {
  const response = await fetchRequest(provider, url, { headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`)
  const { success, data } = keySet.safeParse(readJson(await response.text()))
  if (!success) throw new Error('the answer is not a JWK Set')
  return data.keys.flatMap((jwk) => verifyingKey(jwk) ?? [])
}

/** The parser's own message is not used, because it quotes the text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the answer is not JSON')
  }
}
