/** Why a service writes nothing that a lost database could make it do twice. */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Refusal } from './join.ts'
import type { Loss } from './losses.ts'

/** The reasons of a service, and since when. `elsewhere`: another schema has lost something. */
export type Closed = { since: Date } & (
  | Refusal
  | { reason: 'starting' }
  | { reason: 'unreachable' }
  | { reason: 'elsewhere'; loss: Loss }
)

export const closedReasons = [
  'starting',
  'unreachable',
  'no_witness',
  'other_witness',
  'superseded',
  'loss',
  'elsewhere',
] as const satisfies readonly Closed['reason'][]

/** Nothing was written: it is not proven that the database is the newest one. */
export class WritesClosed extends Unavailable {
  override readonly name = 'WritesClosed'
  readonly closed: Closed
  constructor(closed: Closed) {
    super(`nothing is written until the database is proven to be the newest (${closed.reason})`)
    this.closed = closed
  }
}
