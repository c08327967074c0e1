/**
 * The guarantees of the write protocol hold under 150 seeds of faults, in a deep run under five thousand others each day.
 * The first 150 seeds show three quarters of the rules that `mutations.ts` breaks.
 */

import { operationKinds } from '@financial-agents/contract/kinds'
import { amountOf, seed } from '@financial-agents/testkit/deep'
import { expect, test } from 'vitest'
import { describeFound, runProcess, runSeeds } from './runner.test-helper.ts'

const count = amountOf(150, 5_000)
const begin = (seed - 1) * 10_000

test(`the invariants hold in ${count} seeds from ${begin} on (TEST_SEED=${seed})`, async () => {
  let reported = 0
  const { found, done, broken } = await runSeeds(begin + count, {
    first: begin,
    onProgress: (progress) => {
      if (progress - reported < 1_000) return
      reported = progress
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
  const [together, last, one] = await Promise.all([
    hashes('--seeds', '0..30', '--hashes'),
    hashes('--seeds', '15..30', '--hashes'),
    hashes('--seed', '17'),
  ])
  expect(new Set(together.values()).size).toBe(30)
  expect([...last]).toEqual([...together].slice(15))
  expect([...one]).toEqual([...together].slice(17, 18))
})
