/**
 * Runs seeds: `node test/simulation/run.ts --seeds 0..1000`. `--seed 1234 --trace` runs one seed and prints everything
 * it did. `--mutation <name>` applies one of the switches of mutations.ts. The run ends with exit code 1 at the first
 * violation. `--report` writes one line of JSON.
 */

import { type CommandInput, defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { installHooks } from './hooks.ts'
import { mutations } from './mutations.ts'
import { installDeterminism } from './virtual/determinism.ts'

const options = {
  seeds: { type: 'string', default: '0..100' },
  seed: { type: 'string' },
  trace: { type: 'boolean', default: false },
  mutation: { type: 'string' },
  hashes: { type: 'boolean', default: false },
  report: { type: 'boolean', default: false },
  share: { type: 'string', default: '0/1' },
  only: { type: 'string' },
} as const

export const command = defineCommand({
  summary: 'run seeds of the simulator',
  usage: [
    ['test/simulation/run.ts --seeds 0..1000', 'stops at the first violation'],
    ['test/simulation/run.ts --seed 1234 --trace', 'one seed, with all it did'],
  ],
  optionMeanings: [
    ['--mutation <name>', 'with a rule broken on purpose, one of mutations.ts'],
    ['--hashes', "prints the hash of each seed's history"],
    ['--report', 'writes one line of JSON'],
    ['--share <m>/<n>', 'only the seeds whose remainder by n is m'],
    ['--only <invariants>', 'passes over seeds that violate another invariant first, for example I1,I3'],
  ],
  options,
  run: async ({ values }) => {
    try {
      await runSeeds(values)
    } catch (error) {
      if (values.trace && error instanceof Error && !(error instanceof UsageError))
        process.stderr.write(`${error.stack}\n`)
      throw error
    }
    return undefined
  },
})

const write = (line: string) => process.stdout.write(`${line}\n`)

/** Two numbers in a text, separated by `by`. */
function pairOf(option: string, text: string, by: string): [number, number] {
  const [first, second, ...more] = text.split(by).map(Number)
  if (!Number.isInteger(first) || !Number.isInteger(second) || more.length > 0)
    throw new UsageError(`${option} ${text}: give two numbers, as in 0${by}10`)
  return [first as number, second as number]
}

async function runSeeds(values: CommandInput<typeof options>['values']): Promise<void> {
  const mutation = values.mutation === undefined ? null : mutations.find(({ name }) => name === values.mutation)
  if (mutation === undefined) throw new UsageError(`--mutation ${values.mutation}: there is none of this name`)

  const range = values.seed === undefined ? values.seeds : `${values.seed}..${Number(values.seed) + 1}`
  const [first, last] = pairOf('--seeds', range, '..')
  const [share, shares] = pairOf('--share', values.share, '/')
  const only = values.only === undefined ? null : new Set<string>(values.only.split(','))

  // A seed has many errors, and without `--trace` nobody reads their stacks.
  if (!values.trace) Error.stackTraceLimit = 0
  const checkHooks = mutation && installHooks(mutation)
  const startedAt = process.hrtime.bigint()
  const immediate = setImmediate
  installDeterminism()
  const { runSeed } = await import('./seed.ts')
  checkHooks?.()

  let seeds = 0
  let events = 0
  let operations = 0
  const kinds = new Set<string>()
  for (let seed = first; seed < last; seed += 1) {
    if (seed % shares !== share) continue
    const result = await runSeed(seed, values.trace ? write : null)
    seeds += 1
    events += result.events
    operations += result.operations
    for (const kind of result.kinds) kinds.add(kind)
    if (values.seed !== undefined || values.hashes) write(`trace of ${seed}: ${result.hash}`)
    if (result.violation && (only?.has(result.violation.invariant) ?? true)) {
      const { invariant, message } = result.violation
      if (values.report) write(JSON.stringify({ seed, invariant, message, seeds }))
      else
        write(
          `seed ${seed} violates ${invariant}: ${message}\nreplay: node test/simulation/run.ts --seed ${seed} --trace${mutation ? ` --mutation '${mutation.name}'` : ''}`,
        )
      process.exit(1)
    }
    if (seeds % 200 === 0) await new Promise((resolve) => immediate(resolve))
    if (values.report && seeds % 500 === 0) write(JSON.stringify({ progress: seeds }))
  }
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  if (values.report) write(JSON.stringify({ seeds, events, operations, kinds: [...kinds], seconds }))
  else
    write(
      `${seeds} seeds, ${operations} operations, ${events} events in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)}/s)`,
    )
}

if (import.meta.main) runCommand('simulation', command, 'node')
