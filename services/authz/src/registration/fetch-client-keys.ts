/**
 * How a client's keys are fetched from its registered `jwks_uri`: handed to the library, which asks at most once a minute,
 * gives it 2.5 s, and refuses connections to special-use addresses.
 *
 * Invariants: https alone, to the registered address alone (no redirect is followed), at most 64 KiB; the client does not
 * decide how long a key that it withdrew is still taken.
 */

type Fetch = (url: string, init: RequestInit & { dispatcher?: unknown }) => Promise<Response>

const maxBytes = 65_536

/** `anyAddress` for development: also loopback and private networks. */
export function createClientKeysFetch({ anyAddress }: { anyAddress: boolean }): Fetch {
  return async (url, init) => {
    if (!url.startsWith('https:')) throw new Error('keys are fetched over https alone')
    const { dispatcher: guard, ...rest } = init
    // The library's guard against special-use addresses; without it there is nothing that would refuse them.
    if (!guard && !anyAddress) throw new Error('keys cannot be fetched: nothing guards private addresses')
    const response = await fetch(url, { ...(anyAddress ? rest : init), redirect: 'error' })
    const body = await readBounded(response)
    // Without the headers: what they say of caching would hold for as long as the client likes.
    return new Response(body, { status: response.status, headers: { 'content-type': 'application/json' } })
  }
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream: AsyncIterable<Uint8Array> | [] = response.body ?? []
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('the keys are larger than 64 KiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
