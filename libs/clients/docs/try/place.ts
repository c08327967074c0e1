/**
 * Finds out if this page can try requests. A development stack must serve the page, and must have registered its
 * client.
 */

/** The server of the page, as far as the page can try requests there. */
export type Place =
  /** A development stack with the client. */
  | { kind: 'ready' }
  /** A development stack whose origin is written differently. */
  | { kind: 'other_address'; origin: string }
  | { kind: 'no_client' }
  /** No environment, or one that is not for development. */
  | { kind: 'elsewhere'; environment: string | undefined }

type Metadata = { environment: string; issuer: string }

/** Asks the origin of this page. */
export async function findPlace(clientId: string, path: string): Promise<Place> {
  const metadata = (await read('/v1/metadata')) as Metadata | undefined
  if (metadata?.environment !== 'local') return { kind: 'elsewhere', environment: metadata?.environment }
  if (metadata.issuer !== location.origin) return { kind: 'other_address', origin: metadata.issuer }
  return (await knowsClient(clientId, path)) ? { kind: 'ready' } : { kind: 'no_client' }
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(path).catch(() => undefined)
  return answer?.ok === true ? answer.json().catch(() => undefined) : undefined
}

/**
 * Sends an authorization request without PKCE, which starts no sign-in. A server that knows the client and its address
 * redirects the browser there with the error. For an unknown client, the server shows a page.
 */
async function knowsClient(clientId: string, path: string): Promise<boolean> {
  const server = (await read('/.well-known/oauth-authorization-server')) as
    | { authorization_endpoint: string }
    | undefined
  if (server === undefined) return false
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: location.origin + path,
  }).toString()
  const answer = await fetch(url, { redirect: 'manual', credentials: 'omit' }).catch(() => undefined)
  return answer?.type === 'opaqueredirect'
}
