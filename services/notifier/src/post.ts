/**
 * One exchange with a receiver: a connection of its own to an address that was judged, no redirects, no more of the answer
 * than its head and a little, and an end to it all. The name stays what TLS verifies and what `Host` says.
 */

import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Client } from 'undici'

/** Enough for a receiver that says `ok`; one that says more is not listened to. */
const maxBodyBytes = 16_384
const maxHeadBytes = 16_384

export type Posting = {
  url: URL
  /** Those to connect to, and no others. */
  addresses: readonly LookupAddress[]
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}

/** The status of the answer. @throws where there was none in time */
export async function post({ url, addresses, headers, body, signal }: Posting): Promise<number> {
  const client = new Client(url.origin, {
    connect: {
      lookup: lookupAmong(addresses),
      autoSelectFamily: true,
      // Whatever the environment says.
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      allowH2: false,
    },
    allowH2: false,
    // No second request on a connection.
    pipelining: 0,
    maxHeaderSize: maxHeadBytes,
  })
  try {
    const response = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'financial-agents-webhooks/1.0', ...headers },
      body,
      signal,
    })
    await response.body.dump({ limit: maxBodyBytes, signal }).catch(() => {})
    return response.statusCode
  } finally {
    await client.destroy()
  }
}

/** In place of a look-up: a second one could find another address than the one that was judged. */
function lookupAmong(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (!first) return callback(new Error('no address was judged'), '')
    if (options.all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
