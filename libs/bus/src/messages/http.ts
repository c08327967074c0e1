/** An HTTP request carried over the bus to the one service that is an HTTP application (authz). Bodies are base64. */

/** A request of the origin on its way to authz, its body in base64. */
export type CarriedRequest = {
  method: string
  /** Path and query. */
  target: string
  /** Lower-case names; repeated headers repeat. */
  headers: [name: string, value: string][]
  body: string
  /** The client's address, as the gateway judges it. */
  remote_address: string
}

/** What authz answered, its body in base64; a header that is repeated stands in the list for each time. */
export type CarriedResponse = { status: number; headers: [name: string, value: string][]; body: string }

/** A JWK Set (RFC 7517). */
export type KeySet = { keys: Record<string, unknown>[] }
