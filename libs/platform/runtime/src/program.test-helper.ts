/** A program that the tests run as a process. One of its commands cannot be loaded except for its help. */

import { z } from 'zod'
import { type Command, defineCommand, UsageError } from './command.ts'
import { runProgram } from './program.ts'

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
    const lines = Array.from({ length: Number(n) }, (_, index) => String(index + 1))
    return values.down ? lines.toReversed() : lines
  },
})

async function loadBroken(): Promise<{ command: Command }> {
  if (process.argv[2] !== '--help') throw new Error('loaded without being asked for')
  return { command: { summary: 'broken', run: async () => [] } }
}

runProgram({
  name: 'abacus',
  summary: 'Counts.',
  commands: { serve: async () => ({ command: serve }), count: async () => ({ command: count }), broken: loadBroken },
})
