/** The guarantees of the write protocol hold under ten thousand seeds of faults. */

import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { expect, test } from 'vitest'
import { describeFound, runProcess, runSeeds } from './runner.test-helper.ts'

const seeds = Number(process.env.SIMULATION_SEEDS ?? 10_000)

test(`the invariants hold in ${seeds} seeds`, async () => {
  let told = 0
  const { found, done, broken } = await runSeeds(seeds, {
    onProgress: (count) => {
      if (count - told < 2_000) return
      told = count
      process.stdout.write(`  simulation: ${count} of ${seeds} seeds\n`)
    },
  })
  expect(broken, 'a run broke off').toBeNull()
  expect(found && describeFound(found), 'a seed violates an invariant').toBeNull()
  expect(done.seeds).toBe(seeds)
  // Seeds that accept nothing would prove nothing.
  expect(done.operations).toBeGreaterThan(seeds)
  // A kind that no client of any seed requests is never checked.
  expect(done.kinds.toSorted()).toEqual(operationKinds.toSorted())
  process.stdout.write(
    `  simulation: ${done.seeds} seeds, ${done.operations} operations in ${done.seconds.toFixed(0)} s\n`,
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
