/**
 * Makes one exchange with a receiver: a new connection to a validated address, no redirects, a limited answer and a time
 * limit. TLS and the `Host` header still use the name.
 */

import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Client } from 'undici'

/** Enough for a receiver that answers `ok`. The rest of a longer answer is not read. */
const maxBodyBytes = 16_384
const maxHeadBytes = 16_384

export type Posting = {
  url: URL
  /** The only addresses to connect to. */
  addresses: readonly LookupAddress[]
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}

/**
 * Returns the status of the answer.
 * @throws if no answer came in time
 */
export async function post({ url, addresses, headers, body, signal }: Posting): Promise<number> {
  const client = new Client(url.origin, {
    connect: {
      lookup: lookupAmong(addresses),
      autoSelectFamily: true,
      // Independent of the environment variables.
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

/** Replaces the look-up, because a second look-up could return another address than the validated one. */
function lookupAmong(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (!first) return callback(new Error('no address was validated'), '')
    if (options.all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
