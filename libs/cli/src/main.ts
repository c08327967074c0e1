/** The program `financial-agents`. */

import { run, type StricliProcess } from '@stricli/core'
import { app } from './app.ts'
import { propose } from './completion/propose.ts'
import { completing } from './completion/scripts.ts'
import type { CliProcess } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { hasColours } from './output/paint.ts'

const context = { process: process as CliProcess & StricliProcess }
const inputs = process.argv.slice(2)
// An output that cannot be written does not end the program: the command goes on, and decides the exit code.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

if (inputs[0] === completing) {
  const found = await propose(inputs.slice(1), context)
  for (const { completion, brief } of found) process.stdout.write(`${completion}\t${brief}\n`)
} else {
  if (!hasColours(process.stdout, process.env)) process.env['STRICLI_NO_COLOR'] = '1'
  await run(app, inputs, context)
  // The library sets a negative code for a command line that it does not understand.
  if (Number(process.exitCode) < 0) process.exitCode = exitCodes.wrongUse
}
