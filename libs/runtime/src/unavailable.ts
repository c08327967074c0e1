/**
 * Something that this process depends on is out of reach: nobody's fault in the request. Libraries throw it, and the bus
 * answers with the problem that it means.
 */

/** A dependency is out of reach. `cause` has what failed; nothing was written, unless a subclass says otherwise. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** Whether what was asked for may have been carried out all the same. */
  readonly mayHaveHappened: boolean = false
}
