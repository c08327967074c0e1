/** Facts about the folder's shared stack, passed from the global set-up to the test files. */

import { askFor } from '@financial-agents/testkit/on-demand'
import type { Stack } from '@financial-agents/testkit/stack'
import { inject } from 'vitest'

export type Environment = {
  /** The reason why there is no browser; then there is no stack either. */
  missing: string | undefined
  baseUrl: string
  providerUrl: string
  clients: Stack['clients']
  /** The address through which tests stop and start services and move their clocks. */
  controlUrl: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address at which files ask for the stack. */
    pagesStack: string
  }
}

let shared: Environment | undefined

/** Asks for the stack; the first file that asks starts it. Called by the set-up file of the folder. */
export async function askForStack(): Promise<void> {
  shared ??= await askFor<Environment>(inject('pagesStack'))
}

export function environment(): Environment {
  if (shared === undefined) throw new Error('the set-up file of this folder has not asked for the stack')
  return shared
}
