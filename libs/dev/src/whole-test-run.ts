/**
 * All tests, as several vitest runs side by side. In one run, the projects of a single worker would start only after all
 * others had ended, and one after the other. A core would be idle meanwhile: the pages wait more than they compute.
 * Bundles and migrated schemas are made once, for all runs.
 */

import { portsOf } from '@financial-agents/servers/ports'
import { say } from '@financial-agents/servers/say'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { prepareStacks } from '@financial-agents/testkit/prepare-stacks'
import { tellPrepared } from '@financial-agents/testkit/prepared'
import { type Counts, linesOf } from '@financial-agents/testkit/test-counts'
import { runTool } from './run-tool.ts'

/** The projects of `vitest.config.ts` whose files share one stack, and therefore one worker. */
const oneWorker = ['authorization', 'pages']

/** The pages are two runs, with a stack and a browser each: as one, they would take longer than everything else. */
const halves = [
  ['--shard', '1/2'],
  ['--shard', '2/2'],
]

/** The arguments of each run. `args` may ask for a part of all files. */
function runsFor(args: readonly string[]): string[][] {
  const isPart = args.some((arg) => arg.startsWith('--shard'))
  return [
    oneWorker.flatMap((project) => ['--project', `!${project}`]),
    ['--project', 'authorization'],
    ...(isPart ? [[]] : halves).map((part) => ['--project', 'pages', ...part]),
  ]
}

/** Runs all tests with these arguments of vitest. Prints one count of them all; returns the highest exit code. */
export async function runAllTests(args: readonly string[]): Promise<number> {
  tellPrepared(await endingAtSignals(() => prepareStacks({ log: say })))
  const runs = runsFor(args)
  const counts: Counts[] = []
  const onMessage = (message: unknown) => void counts.push(message as Counts)
  const codes = await Promise.all(
    runs.map((projects, run) =>
      runTool('vitest', ['run', ...projects, ...args], {
        env: { ...compileCache, ...portsOf(run, runs.length) },
        onMessage,
      }),
    ),
  )
  process.stdout.write(linesOf(counts))
  return Math.max(...codes)
}

/** A signal ends this process, and by `startChild` all processes that the work has started. */
async function endingAtSignals<Value>(work: () => Promise<Value>): Promise<Value> {
  const end = () => process.exit(1)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    return await work()
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}
