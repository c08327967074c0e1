/**
 * All tests, as several vitest runs side by side. In one run, the projects of a single worker would start only after all
 * others had ended, and one after the other. A core would be idle meanwhile: the pages wait more than they compute.
 * Bundles and migrated schemas are made once, for all runs.
 */

import { portsOf } from '@financial-agents/servers/ports'
import { say } from '@financial-agents/servers/say'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { environmentOf } from '@financial-agents/testkit/deep'
import { prepareStacks } from '@financial-agents/testkit/prepare-stacks'
import { tellPrepared } from '@financial-agents/testkit/prepared'
import { type Counts, linesOf } from '@financial-agents/testkit/test-counts'
import { runTool } from './run-tool.ts'

/** The projects of `vitest.config.ts` whose files share one stack, and therefore one worker. */
const oneWorker = ['authorization', 'pages']

/** The arguments of each run. */
const runs = [
  oneWorker.flatMap((project) => ['--project', `!${project}`]),
  ...oneWorker.map((project) => ['--project', project]),
]

/**
 * Runs all tests of `test` (false) or `test --deep` (true), one after the other, with these arguments of vitest. Prints one
 * count of each, and of all at the end; returns the highest exit code.
 */
export async function runAllTests(args: readonly string[], commands: readonly boolean[]): Promise<number> {
  tellPrepared(await endingAtSignals(() => prepareStacks({ log: say })))
  const ended: Ended[] = []
  const interruption = watchInterruption()
  for (const deep of commands) {
    if (interruption.hasCome()) break
    const each = await Promise.all(
      runs.map((projects, run) => runVitest([...projects, ...args], { deep, run, of: runs.length })),
    )
    if (commands.length > 1)
      process.stdout.write(`${deep ? 'test --deep' : 'test'}:\n${linesOf(each.flatMap(({ counts }) => counts))}`)
    ended.push(...each)
  }
  process.stdout.write(linesOf(ended.flatMap(({ counts }) => counts)))
  return Math.max(interruption.hasCome() ? 1 : 0, ...ended.map(({ code }) => code))
}

/** Vitest itself ends at the signal, so this process only remembers it. */
function watchInterruption(): { hasCome: () => boolean } {
  let hasCome = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void (hasCome = true))
  return { hasCome: () => hasCome }
}

type Ended = { code: number; counts: Counts[] }

/** A run that fails without a failed test, because it broke off, counts as one failure. */
async function runVitest(
  args: readonly string[],
  { deep, run, of }: { deep: boolean; run: number; of: number },
): Promise<Ended> {
  const counts: Counts[] = []
  const code = await runTool('vitest', ['run', ...args], {
    env: { ...compileCache, ...environmentOf(deep), ...portsOf(run, of) },
    onMessage: (message) => void counts.push(message as Counts),
  })
  if (code !== 0 && counts.every(({ failed }) => failed === 0))
    counts.push({ passed: 0, failed: 1, skipped: 0, notRun: 0, reasons: [] })
  return { code, counts }
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
