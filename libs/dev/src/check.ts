/** The command `check`: every commit passes it. The first step that fails ends it, with what that step printed. */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { runTool } from './run-tool.ts'

const generate = `${import.meta.dirname}/generate.ts`

const steps = [
  { name: 'format', program: 'biome', args: ['check', '.'] },
  { name: 'types', program: 'tsc', args: [] },
  { name: 'lint', program: 'oxlint', args: ['--type-aware'] },
  { name: 'generated documents', program: process.execPath, args: [generate, '--check'] },
  { name: 'unit tests', program: 'vitest', args: ['run', '--project', 'unit'] },
]

const command = defineCommand({
  summary: `${steps.map(({ name }) => name).join(', ')}: what every commit passes`,
  usage: [['check', 'stops at the first step that fails']],
  run: async () => {
    for (const [index, { name, program, args }] of steps.entries()) {
      process.stdout.write(`check ${index + 1}/${steps.length}: ${name}\n`)
      const code = await runTool(program, args)
      if (code !== 0) throw new Error(`${name} failed`)
    }
    return undefined
  },
})

runCommand('check', command)
