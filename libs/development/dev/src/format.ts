/** The command `format`. */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { runTool } from './run-tool.ts'

export const command = defineCommand({
  summary: 'format the tree and sort its imports',
  usage: [['format', 'writes every file that is not formatted']],
  run: async () => {
    const code = await runTool('biome', ['check', '--write', '.'])
    if (code !== 0) throw new Error('not everything could be formatted')
    return undefined
  },
})

if (import.meta.main) runCommand('format', command)
