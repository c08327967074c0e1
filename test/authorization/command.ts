/** Runs a command of authz in this process, as an operator would in a process of its own, which would load for a second. */

import { runInstance } from '@financial-agents/runtime/instance'
import { callProgram } from '@financial-agents/runtime/program'
import { service } from '../../services/authz/src/service.ts'
import { environment } from './environment.ts'

/** @throws Error with the command's error line */
export async function runAuthzCommand(...args: string[]): Promise<void> {
  const { commandEnvironment } = environment()
  const { code, stderr } = await runInstance(() => callProgram(service.program, args, commandEnvironment))
  if (code !== 0) throw new Error(stderr.trim())
}
