/**
 * A dependency of this process is out of reach, and the request is not at fault. Libraries throw this error, and the
 * bus answers with the matching problem.
 */

/**
 * A dependency is out of reach; `cause` is the underlying error. Nothing was written, unless a subclass states
 * otherwise.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** True if the requested change may have happened nevertheless. */
  readonly mayHaveHappened: boolean = false
}
