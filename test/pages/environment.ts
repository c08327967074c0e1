/** What the global set-up tells the test files about the one stack that all of them share. */

import type { Stack } from '@financial-agents/testkit/stack'
import { inject } from 'vitest'

export type Environment = {
  /** Why there is no browser, where there is none: then there is no stack either. */
  missing: string | undefined
  baseUrl: string
  providerUrl: string
  clients: Stack['clients']
  /** Services are stopped, started and moved in time through here. */
  controlUrl: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    pages: Environment
  }
}

export function environment(): Environment {
  return inject('pages')
}
