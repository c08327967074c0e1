/**
 * `pnpm chaos`: runs the whole matrix over one stack, with one line for each run and a report at the end. Exit code 1
 * for any breach, or if the time limit is reached first.
 */

import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { type OperationKind, operationKinds } from '@financial-agents/operation-machine/kinds'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import { exhaustCap, exhaustCeiling } from './cap.ts'
import { allRuns, apart, cellsOf, type Run } from './matrix.ts'
import { randomOf, seedOf } from './random.ts'
import { report } from './report.ts'
import { perform, prepareWorld } from './run.ts'
import { nameOf } from './steps.ts'
import { startWorld } from './world.ts'

const usage = `pnpm chaos [--seed N] [--service NAME] [--kind NAME] [--step TEXT] [--apart] [--minutes N] [--list]

  --service, --kind, --step   only these cells; --step matches part of "submitter claim.after_commit"
  --apart                     kills once for each kind at each step, not once for all kinds at it
  --minutes                   stops by itself after so many (default 90)
  --list                      names the runs and kills nothing`

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    service: { type: 'string' },
    kind: { type: 'string' },
    step: { type: 'string' },
    apart: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '90' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

if (values.help) {
  say(usage)
  process.exit(0)
}
const isWhole = values.service === undefined && values.kind === undefined && values.step === undefined
const runs = chosen()
if (runs.length === 0) {
  say(`no cell is like that\n\n${usage}`)
  process.exit(2)
}
if (values.list) {
  for (const run of runs) say(`${nameOf(run.step)}  ${run.way}  ${run.kinds.join(' ')}`)
  say(`${runs.length} runs, ${cellsOf(runs)} cells`)
  process.exit(0)
}
process.exit(await killAll())

function chosen(): Run[] {
  const { service, kind, step } = values
  const unknown =
    (service !== undefined && !serviceNames.some((name) => name === service)) ||
    (kind !== undefined && !operationKinds.some((name) => name === kind))
  if (unknown) return []
  const wanted = allRuns()
    .filter((run) => service === undefined || run.step.service === service)
    .filter((run) => step === undefined || nameOf(run.step).includes(step))
    .filter((run) => kind === undefined || run.kinds.includes(kind as OperationKind))
    .map((run) => (kind === undefined ? run : { ...run, kinds: [kind as OperationKind] }))
  return values.apart ? apart(wanted) : wanted
}

async function killAll(): Promise<number> {
  const seed = seedOf(values.seed ?? process.env['CHAOS_SEED'])
  const endsAtMs = performance.now() + Number(values.minutes) * 60_000
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1_000
  say(`seed ${seed}: ${runs.length} runs, ${cellsOf(runs)} cells; starting the stack`)
  const world = await startWorld(randomOf(seed))
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
