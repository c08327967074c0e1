/**
 * Fetches what a registration refers to: a client's keys at its `jwks_uri` (`fetch-keys.ts`) and the picture at its `logo_uri`
 * (`fetch-logo.ts`). The library gives the time-out of 2.5 s, and refuses connections to special-use addresses.
 *
 * Invariants: only https, only the registered address (no redirect is followed), and at most 64 KiB.
 */

type Fetch = (url: string, init: RequestInit & { dispatcher?: unknown }) => Promise<Response>

const maxBytes = 65_536

/** `anyAddress` is for development: it also allows loopback and private networks. */
export function createGuardedFetch({ anyAddress }: { anyAddress: boolean }): Fetch {
  return async (url, init) => {
    if (!url.startsWith('https:')) throw new Error('registered addresses are fetched over https alone')
    const { dispatcher: guard, ...rest } = init
    // The library's guard refuses special-use addresses. Without it, nothing would refuse them.
    if (!guard && !anyAddress) throw new Error('nothing is fetched, because nothing guards private addresses')
    const response = await fetch(url, { ...(anyAddress ? rest : init), redirect: 'error' })
    const body = await readBounded(response)
    return new Response(body, { status: response.status })
  }
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream: AsyncIterable<Uint8Array> | [] = response.body ?? []
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('the answer is larger than 64 KiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
