/**
 * Fetches a client's keys from its registered `jwks_uri`. The library calls this at most once a minute, with a time-out
 * of 2.5 s, and refuses connections to special-use addresses.
 *
 * Invariants: only https, only the registered address (no redirect is followed), and at most 64 KiB. The client does
 * not decide how long a withdrawn key is still accepted.
 */

type Fetch = (url: string, init: RequestInit & { dispatcher?: unknown }) => Promise<Response>

const maxBytes = 65_536

/** `anyAddress` is for development: it also allows loopback and private networks. */
export function createClientKeysFetch({ anyAddress }: { anyAddress: boolean }): Fetch {
  return async (url, init) => {
    if (!url.startsWith('https:')) throw new Error('keys are fetched over https alone')
    const { dispatcher: guard, ...rest } = init
    // The library's guard refuses special-use addresses. Without it, nothing would refuse them.
    if (!guard && !anyAddress) throw new Error('keys cannot be fetched: nothing guards private addresses')
    const response = await fetch(url, { ...(anyAddress ? rest : init), redirect: 'error' })
    const body = await readBounded(response)
    // The headers are dropped, because their caching directives would apply for as long as the client likes.
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
