/** The command `test`: vitest, with the options that this repository needs. */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { endWithParent } from './end-with-parent.ts'
import { runTool } from './run-tool.ts'
import { runAllTests } from './whole-test-run.ts'

const command = defineCommand({
  summary: 'run the tests',
  usage: [
    ['test', 'all of them'],
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
    project: { type: 'string', multiple: true },
    testNamePattern: { type: 'string', short: 't' },
    update: { type: 'boolean', short: 'u' },
    bail: { type: 'string' },
    shard: { type: 'string' },
  },
  takesArguments: true,
  run: async ({ positionals, values }) => {
    const args = process.argv.slice(2)
    const isWhole = positionals.length === 0 && values.project === undefined
    const code = await (isWhole ? runAllTests(args) : runTool('vitest', ['run', ...args], { env: compileCache }))
    if (code !== 0) process.exitCode = code
    return undefined
  },
})

endWithParent()
runCommand('test', command)
