/**
 * The command `chaos`: runs the whole matrix over one stack, with one line for each run and a report at the end. Exit
 * code 1 for any breach, or if the time limit is reached first.
 */

import { performance } from 'node:perf_hooks'
import { type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { seed as seedOfRun } from '@financial-agents/testkit/deep'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import { exhaustCap, exhaustCeiling } from './cap.ts'
import { allRuns, apart, cellsOf, type Run } from './matrix.ts'
import { leftOutBy, type ProviderName, providerNames } from './provider.ts'
import { randomOf } from './random.ts'
import { report } from './report.ts'
import { perform, prepareWorld } from './run.ts'
import { nameOf } from './steps.ts'
import { startWorld } from './world.ts'

const usualMinutes = '90'

type Flags = { [name in 'seed' | 'service' | 'kind' | 'step']?: string | undefined } & {
  apart: boolean
  minutes: string
  provider: string
}

export const command = defineCommand({
  summary: 'kill every service at every step of every kind of write, and look whether everything agrees afterwards',
  usage: [
    ['chaos', 'the whole matrix, about an hour and a half'],
    ['chaos --list', 'print the runs and kill nothing'],
    ['chaos --service <name> --kind <name> --step <text>', 'only these cells; each option may stand alone'],
  ],
  optionMeanings: [
    ['--service <name>', serviceNames.join(', ')],
    ['--kind <name>', 'a kind of operation, as --list prints them'],
    ['--step <text>', 'part of a step, such as "submitter claim.after_commit"'],
    ['--provider <name>', 'the provider behind the stack: fake, or python, which needs python3'],
    ['--apart', 'kill once for each kind at each step, not once for all kinds'],
    ['--minutes <n>', `stop after so many (${usualMinutes})`],
    ['--seed <n>', 'repeat the choices of a run that named this seed'],
  ],
  options: {
    seed: { type: 'string' },
    service: { type: 'string' },
    kind: { type: 'string' },
    step: { type: 'string' },
    apart: { type: 'boolean', default: false },
    minutes: { type: 'string', default: usualMinutes },
    provider: { type: 'string', default: 'fake' },
    list: { type: 'boolean', default: false },
  },
  run: async ({ values }) => {
    const runs = chosen(values)
    if (values.list)
      return [
        ...runs.map((run) => `${nameOf(run.step)}  ${run.way}  ${run.kinds.join(' ')}`),
        `${runs.length} runs, ${cellsOf(runs)} cells`,
        ...leftOutLines(values.provider as ProviderName),
      ]
    process.exitCode = await killAll(runs, values)
    return undefined
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

function leftOutLines(provider: ProviderName): string[] {
  return [...leftOutBy[provider]].map(([way, reason]) => `left out by ${provider}: ${way}, because ${reason}`)
}

function chosen({ service, kind, step, provider, apart: isApart }: Flags): Run[] {
  checkName('provider', provider, providerNames)
  checkName('service', service, serviceNames)
  checkName('kind', kind, operationKinds)
  const wanted = allRuns()
    .filter((run) => !leftOutBy[provider as ProviderName].has(run.way))
    .filter((run) => service === undefined || run.step.service === service)
    .filter((run) => step === undefined || nameOf(run.step).includes(step))
    .filter((run) => kind === undefined || run.kinds.includes(kind as OperationKind))
    .map((run) => (kind === undefined ? run : { ...run, kinds: [kind as OperationKind] }))
  if (wanted.length === 0) throw new UsageError('no cell is like that; --list prints the cells that there are')
  return isApart ? apart(wanted) : wanted
}

function checkName(option: string, given: string | undefined, names: readonly string[]): void {
  if (given !== undefined && !names.includes(given))
    throw new UsageError(`--${option} ${given}: give one of ${names.join(', ')}`)
}

async function killAll(runs: readonly Run[], given: Flags): Promise<number> {
  const isWhole = given.service === undefined && given.kind === undefined && given.step === undefined
  const seed = Number(given.seed ?? seedOfRun)
  const endsAtMs = performance.now() + Number(given.minutes) * 60_000
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1_000
  say(`seed ${seed}: ${runs.length} runs, ${cellsOf(runs)} cells; starting the stack`)
  const provider = given.provider as ProviderName
  for (const line of leftOutLines(provider)) say(line)
  const world = await startWorld(randomOf(seed), { provider })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`${signal}: stopping what was started`)
      void world.close().finally(() => process.exit(130))
    })
  const breaches: string[] = []
  let cells = 0
  try {
    await prepareWorld(world)
    for (const [at, run] of runs.entries()) {
      if (performance.now() > endsAtMs) {
        breaches.push(`the time was over before ${runs.length - at} of the runs`)
        break
      }
      const startedAt = seconds()
      const found = await perform(world, run)
      cells += run.kinds.length
      breaches.push(...found)
      const what = run.kinds.length === 1 ? run.kinds[0] : `${run.kinds.length} kinds`
      say(
        `[${at + 1}/${runs.length}] ${nameOf(run.step)}: ${what}, ${world.book.accepted.size} accepted so far, ` +
          `${(seconds() - startedAt).toFixed(1)} s${found.length > 0 ? '  BREACHED' : ''}`,
      )
      for (const breach of found) say(`    ${breach}`)
      world.book.forget()
    }
    if (isWhole && performance.now() < endsAtMs) breaches.push(...(await exhaustCap(world, say)))
    if (isWhole && performance.now() < endsAtMs) breaches.push(...(await exhaustCeiling(world, say)))
    say(await report(world, { seed, runs: runs.length, cells, seconds: seconds(), breaches }))
  } finally {
    await world.close()
  }
  return breaches.length > 0 ? 1 : 0
}

if (import.meta.main) runCommand('chaos', command)
