/** Vitest's global set-up for projects that start whole stacks: bundles and migrated schemas, made once for equal sources. */

import { say } from '@financial-agents/servers/say'
import { prepareStacks } from '../stack/prepare-stacks.ts'
import { findPrepared, tellPrepared } from '../stack/prepared.ts'

/** Prepares what the run's stacks start from. */
export async function setup(): Promise<() => void> {
  // Another project of this run has prepared them.
  if (findPrepared() !== undefined) return () => {}
  tellPrepared(await prepareStacks({ log: say }))
  return () => tellPrepared(undefined)
}
