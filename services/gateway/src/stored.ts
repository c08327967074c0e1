/** What is made once at start and sent as it is: nothing of a request is in it. */
export type Stored = {
  /** Names and values by turns. */
  headers: readonly string[]
  body: string | Uint8Array
}
