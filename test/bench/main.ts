/**
 * `pnpm bench`: measures the cost of a DPoP-protected read and of a durable operation, in CPU time by process and in
 * throughput. Baselines of the same run on the same machine: one ES256 verification, and the commit of one row. Quote
 * the ratios: milliseconds depend on the machine. `--only tokens,read,operations,durable` selects parts. `--stored
 * 10000,5000000` measures only the cost of an operation with so many stored; `--operators 10000,1000000` measures
 * operators' queries.
 */

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeStackFolder, startStack } from '@financial-agents/testkit/stack'
import { benchDpop } from './dpop.ts'
import { say } from './measure.ts'
import { benchCommits, benchDurable, benchOperations } from './operations.ts'
import { benchOperators } from './operators.ts'
import { benchRead } from './reads.ts'
import { benchStored } from './stored.ts'
import { benchTokens } from './tokens.ts'

const { values } = parseArgs({
  options: { stored: { type: 'string' }, operators: { type: 'string' }, only: { type: 'string' } },
})
const folder = await mkdtemp(join(tmpdir(), 'financial-agents-bench-'))
const stack = await startStack({
  folder,
  log: () => {},
  providerLatencyMs: 5,
  environment: { all: { LOG_LEVEL: 'warn' }, gateway: { GRANT_RATE_PER_S: '0', ADDRESS_RATE_PER_S: '0' } },
})
// An interrupted run leaves nothing behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void stack
      .stop()
      .then(() => removeStackFolder(folder))
      .finally(() => process.exit(1))
  })
try {
  const sizes = (values.stored ?? values.operators)?.split(',').map(Number)
  if (sizes === undefined) await benchAll()
  else await (values.stored === undefined ? benchOperators : benchStored)(stack, sizes)
} finally {
  await stack.stop()
  await removeStackFolder(folder)
}
process.exit(0)

async function benchAll(): Promise<void> {
  say(`baseline: one ES256 verification ${benchDpop().verificationUs.toFixed(0)} CPU µs`)
  const commits = await benchCommits(stack)
  say(
    `baseline: single-row insert, committed, 32 at once: ${commits.perS.toFixed(0)}/s, ${commits.cpuUs.toFixed(0)} CPU µs\n`,
  )
  const parts: Record<string, () => Promise<void>> = {
    tokens: () => benchTokens(stack),
    read: () => benchRead(stack),
    operations: () => benchOperations(stack, commits),
    durable: () => benchDurable(stack, commits),
  }
  const wanted = values.only?.split(',') ?? Object.keys(parts)
  for (const [name, bench] of Object.entries(parts)) if (wanted.includes(name)) await bench()
}
