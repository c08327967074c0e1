/** A response of bytes that contains nothing of a request. */
export type Stored = {
  /** 200 if absent. */
  status?: number
  /** Names and values in turn. */
  headers: readonly string[]
  body: string | Uint8Array | null
}
