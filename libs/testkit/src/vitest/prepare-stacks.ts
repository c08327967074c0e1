/** Vitest's global set-up for projects that start whole stacks: bundles and migrated schemas, made once for the run. */

import { say } from '@financial-agents/servers/say'
import { prepareStacks } from '../stack/prepare-stacks.ts'
import { findPrepared, tellPrepared } from '../stack/prepared.ts'

/** Prepares what the run's stacks start from. */
export async function setup(): Promise<() => Promise<void>> {
  // Another project of this run has prepared them, and removes them at the end of the run.
  if (findPrepared() !== undefined) return async () => {}
  const { remove, ...prepared } = await prepareStacks(say)
  tellPrepared(prepared)
  return async () => {
    tellPrepared(undefined)
    await remove()
  }
}
