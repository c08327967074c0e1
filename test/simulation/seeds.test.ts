/**
 * The guarantees of the write protocol hold under thousands of seeds of faults: some are the same in every run, and
 * others change each day. To repeat the seeds of a failed day, give the first of them: SIMULATION_FIRST=51950000.
 */

import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { expect, test } from 'vitest'
import { describeFound, runProcess, runSeeds } from './runner.test-helper.ts'

const seeds = Number(process.env.SIMULATION_SEEDS ?? 2_500)
const dayNumber = Math.floor(Date.now() / 86_400_000)
const first = Number(process.env.SIMULATION_FIRST ?? dayNumber * 2_500)

test.each([
  ['that every run has', 0, Math.min(seeds, 1_000)],
  [`of the day, from ${first} on`, first, seeds],
])('the invariants hold in the seeds %s', async (_name, begin, count) => {
  let told = 0
  const { found, done, broken } = await runSeeds(begin + count, {
    first: begin,
    onProgress: (progress) => {
      if (progress - told < 1_000) return
      told = progress
      process.stdout.write(`  simulation: ${progress} of ${count} seeds\n`)
    },
  })
  expect(broken, 'a run broke off').toBeNull()
  expect(found && describeFound(found), 'a seed violates an invariant').toBeNull()
  expect(done.seeds).toBe(count)
  // Seeds that accept nothing would prove nothing.
  expect(done.operations).toBeGreaterThan(count)
  // A kind that no client of any seed requests is never checked.
  expect(done.kinds.toSorted()).toEqual(operationKinds.toSorted())
  process.stdout.write(
    `  simulation: ${done.seeds} seeds from ${begin} on, ${done.operations} operations in ${done.seconds.toFixed(0)} s\n`,
  )
})

test('a seed replays exactly, alone or after others', async () => {
  const hashes = async (...args: string[]) => {
    const { lines, code } = await runProcess(args).ended
    expect(code, lines.join('\n')).toBe(0)
    return new Map(
      lines
        .flatMap((line) => /^trace of (\d+): (\w+)$/.exec(line)?.slice(1, 3).join(' ') ?? [])
        .map((line) => line.split(' ') as [string, string]),
    )
  }
  const [together, again, ...alone] = await Promise.all([
    hashes('--seeds', '0..60', '--hashes'),
    hashes('--seeds', '0..60', '--hashes'),
    hashes('--seed', '17'),
    hashes('--seed', '59'),
  ])
  expect(together.size).toBe(60)
  expect(again).toEqual(together)
  for (const one of alone) for (const [seed, hash] of one) expect(together.get(seed)).toBe(hash)
  expect(new Set(together.values()).size).toBe(60)
})
