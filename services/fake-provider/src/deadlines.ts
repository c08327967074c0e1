/**
 * The deadlines of mutations. The provider promises to begin no mutation after its deadline, and shows its clock in every
 * search, until a switch takes the promise away. Without the promise it executes whatever arrives, and shows no clock.
 */

import type { Clock } from '@financial-agents/runtime/clock'

export type Deadlines = {
  /** True if the provider may not begin to execute a mutation with this deadline (RFC 3339) any more. */
  havePassed(validUntil: string | undefined): boolean
  /** The provider's clock, for the answer to a search; a member `as_of`, or nothing. */
  asOf(): { readonly as_of?: string }
  /** Makes the promise, or takes it away. */
  promise(refuses: boolean): void
}

export function createDeadlines(clock: Clock, promised: boolean): Deadlines {
  let refuses = promised
  return {
    havePassed: (validUntil) => refuses && validUntil !== undefined && clock.nowMs() > Date.parse(validUntil),
    asOf: () => (refuses ? { as_of: clock.now().toISOString() } : {}),
    promise(value) {
      refuses = value
    },
  }
}
