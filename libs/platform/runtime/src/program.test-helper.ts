/** A program of the tests. One of its commands cannot be loaded. */

import { z } from 'zod'
import { type Command, defineCommand, UsageError } from './command.ts'
import { failpoint } from './failpoint.ts'
import { type Program, runProgram } from './program.ts'

const serve: Command = {
  summary: 'run it',
  config: z.object({
    PORT: z.coerce.number().default(80),
    TOKEN: z.string(),
    LEVEL: z.enum(['low', 'high']).default('low'),
    OTHER: z.string().optional(),
    DEBUG: z.undefined().optional(),
  }),
  run: async () => ['served'],
}

const count = defineCommand({
  summary: 'count to a number',
  usage: [['count <n> [--down]', 'one line for each']],
  options: { down: { type: 'boolean' } },
  run: async ({ positionals: [n], values }) => {
    if (n === undefined) throw new UsageError('say how far: count <n>')
    if (n === '13') throw new Error('unlucky\nnumber')
    failpoint('count.before_end')
    const lines = Array.from({ length: Number(n) }, (_, index) => String(index + 1))
    return values.down ? lines.toReversed() : lines
  },
})

/** Counts the loads of a command that the tests never call. The help of the program loads every command. */
export const loads = { other: 0 }

async function loadOther(): Promise<{ command: Command }> {
  loads.other += 1
  return { command: { summary: 'other', run: async () => [] } }
}

export const abacus: Program = {
  name: 'abacus',
  summary: 'Counts.',
  commands: { serve: async () => ({ command: serve }), count: async () => ({ command: count }), other: loadOther },
}

if (import.meta.main) runProgram(abacus)
