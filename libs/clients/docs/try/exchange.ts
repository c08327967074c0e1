/** The requests of the page with their answers, as the client sends and receives them. */

/** One request and its answer. */
export type Exchange = {
  method: string
  url: URL
  headers: readonly (readonly [name: string, value: string])[]
  body: string | undefined
  /** Absent if no answer came. */
  answer: { status: number; headers: Headers; text: string } | undefined
}

/** The part of `fetch` that the client uses. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A `fetch` that reports each request of the API. Requests of the sign-in are not reported: they contain codes and tokens. */
export function reportingFetch(report: (exchange: Exchange) => void): Fetch {
  return async (address, init) => {
    const url = new URL(address, location.href)
    if (!url.pathname.startsWith('/v1/')) return fetch(url, init)
    const asked = {
      method: init.method ?? 'GET',
      url,
      headers: [...new Headers(init.headers)],
      body: typeof init.body === 'string' ? init.body : undefined,
    }
    const response = await fetch(url, init).catch((error: unknown) => {
      report({ ...asked, answer: undefined })
      throw error
    })
    const text = await response.clone().text()
    report({ ...asked, answer: { status: response.status, headers: response.headers, text } })
    return response
  }
}

/** Returns the parts of a proof; undefined if there is none. */
export function readProof(proof: string | undefined): { header: unknown; payload: unknown } | undefined {
  if (proof === undefined) return undefined
  const [header, payload] = proof.split('.', 2).map((part) => {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  })
  return { header, payload }
}
