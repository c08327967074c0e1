/** The command `test`: vitest, with the options that this repository needs. */

import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { endWithParent } from '@financial-agents/servers/end-with-parent'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { environmentOf } from '@financial-agents/testkit/deep'
import { runTool } from './run-tool.ts'
import { runAllTests } from './whole-test-run.ts'

export const command = defineCommand({
  summary: 'run the tests',
  usage: [
    ['test', 'everything once, the same every day'],
    ['test --deep', 'long searches, seeds of the day, every kill, packed packages, images, charts'],
    ['test --all', 'both, with one count'],
    ['test <text>', 'those in files whose path contains the text'],
    ['test --project <name>', 'one project of vitest.config.ts; more of them where it is repeated'],
  ],
  optionMeanings: [
    ['-t, --testNamePattern <pattern>', 'only tests whose name matches'],
    ['-u, --update', 'write snapshots and golden files again'],
    ['--bail <n>', 'stop after this many failures'],
    ['--shard <index>/<count>', 'one part of the files'],
  ],
  options: {
    deep: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true },
    testNamePattern: { type: 'string', short: 't' },
    update: { type: 'boolean', short: 'u' },
    bail: { type: 'string' },
    shard: { type: 'string' },
  },
  takesArguments: true,
  run: async ({ positionals, values }) => {
    const { deep, all } = values
    const args = process.argv.slice(2).filter((arg) => arg !== '--deep' && arg !== '--all')
    const isWhole = positionals.length === 0 && values.project === undefined
    if (all && (deep || !isWhole)) throw new UsageError('--all takes no file, no --project and no --deep')
    const env = { ...compileCache, ...environmentOf(deep) }
    const code = await (isWhole
      ? runAllTests(args, all ? [false, true] : [deep])
      : runTool('vitest', ['run', ...args], { env }))
    if (code !== 0) process.exitCode = code
    return undefined
  },
})

if (import.meta.main) {
  endWithParent()
  runCommand('test', command)
}
