/** A response that is built once at start and sent unchanged. It contains nothing of a request. */
export type Stored = {
  /** Names and values in turn. */
  headers: readonly string[]
  body: string | Uint8Array
}
