/** HTTP requests that the gateway carries over the bus to the services with an HTTP application (authz, ops-console). */

/** A request for the application. The body is in base64. */
export type TunnelledRequest = {
  method: string
  /** The path and the query. */
  target: string
  /** Names in lower case. A repeated header has an entry for each value. */
  headers: [name: string, value: string][]
  body: string
  /** The client's address, as the gateway determined it. */
  remote_address: string
}

/** The application's response. The body is in base64. A repeated header has an entry for each value. */
export type TunnelledResponse = { status: number; headers: [name: string, value: string][]; body: string }

/** A JWK Set (RFC 7517). */
export type KeySet = { keys: Record<string, unknown>[] }
