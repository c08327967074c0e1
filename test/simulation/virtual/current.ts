/** The world of the seed that is running; what the stand-ins for the connections to the outside open. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider/port'

/** Each opens for the process whose code is running. */
export type Opener = {
  bus: (name: string) => Bus
  database: (service: string) => Database
  provider: () => Provider
}

const current: { opener: Opener | null } = { opener: null }

export function setOpener(opener: Opener | null): void {
  current.opener = opener
}

export function getOpener(): Opener {
  if (!current.opener) throw new Error('no seed is running')
  return current.opener
}
