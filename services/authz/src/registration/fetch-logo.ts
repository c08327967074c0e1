/**
 * Fetches the picture at a client's registered `logo_uri`, with the same guarded fetch as for its keys: https only, no
 * redirect, no private address, at most 64 KiB, 2.5 s.
 *
 * Invariant: the type of the picture is validated by its content. The type that the server claims is not read.
 */

import { type PictureType, validatePicture } from '@financial-agents/pages/picture'
import type { Provider } from 'oidc-provider'
// The library's own way to the network, with its guard of private addresses. It has no public name.
import fetchRequest from 'oidc-provider/lib/helpers/fetch_request.js'

export type Logo = { type: PictureType; bytes: Buffer }

/** @throws if there is no such picture */
export async function fetchLogo(provider: Provider, url: string): Promise<Logo> {
  const response = await fetchRequest(provider, url, {})
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const validated = validatePicture(bytes)
  if (validated.fault !== undefined) throw new Error(`the picture ${validated.fault}`)
  return { type: validated.type, bytes }
}
