/** What the global set-up tells the test files about the one stack that all of them share. */

import { askFor } from '@financial-agents/testkit/on-demand'
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
    /** Where the stack is asked for. */
    pagesStack: string
  }
}

let shared: Environment | undefined

/** Starts the stack where this is the first file that asks; for the set-up file of the folder. */
export async function askForStack(): Promise<void> {
  shared ??= await askFor<Environment>(inject('pagesStack'))
}

export function environment(): Environment {
  if (shared === undefined) throw new Error('the set-up file of this folder has not asked for the stack')
  return shared
}
