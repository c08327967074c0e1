/** The program as a function: arguments and surroundings in, exit code out. `main.ts` gives it the process. */

import { run, type StricliProcess } from '@stricli/core'
import { app } from './app.ts'
import { propose } from './completion/propose.ts'
import { completing } from './completion/scripts.ts'
import type { CliProcess, Surroundings } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { hasColours } from './output/paint.ts'

/** Runs one command line. Returns the exit code. */
export async function runProgram(inputs: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, stderr } = surroundings
  const env = hasColours(stdout, surroundings.env) ? surroundings.env : { ...surroundings.env, STRICLI_NO_COLOR: '1' }
  const process: CliProcess = {
    ...(surroundings.retryForMs !== undefined && { retryForMs: surroundings.retryForMs }),
    stdin,
    stdout,
    stderr,
    env,
    exit: () => surroundings.exit(),
    once: (signal, listener) => surroundings.once(signal, listener),
  }
  const context: { process: CliProcess & StricliProcess } = { process }
  // An output that cannot be written does not end the program: the command goes on, and decides the exit code.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  if (inputs[0] === completing) {
    const found = await propose(inputs.slice(1), context)
    for (const { completion, brief } of found) stdout.write(`${completion}\t${brief}\n`)
    return exitCodes.done
  }
  await run(app, inputs, context)
  const code = Number(process.exitCode ?? exitCodes.done)
  // The library sets a negative code for a command line that it does not understand.
  return code < 0 ? exitCodes.wrongUse : code
}
