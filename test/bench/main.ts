/**
 * The command `bench`: measures the cost of a DPoP-protected read and of a durable operation, in CPU time by process and
 * in throughput. Baselines of the same run on the same machine: one ES256 verification, and the commit of one row.
 * Quote the ratios: milliseconds depend on the machine. At the end it compares the figures with their targets
 * (`targets.ts`).
 */

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { prepareStacks } from '@financial-agents/testkit/prepare-stacks'
import { removeStackFolder, type Stack, startStack } from '@financial-agents/testkit/stack'
import { benchClient } from './client.ts'
import { benchDev } from './dev.ts'
import { benchDpop } from './dpop.ts'
import { benchLoad } from './load.ts'
import { say } from './measure.ts'
import { benchCommits, benchDurable, benchOperations } from './operations.ts'
import { benchOperators } from './operators.ts'
import { benchRead } from './reads.ts'
import { benchReplicas } from './replicas.ts'
import { benchStart } from './start.ts'
import { benchStored } from './stored.ts'
import { type Figures, type Part, parts, tableOf } from './targets.ts'
import { benchTokens } from './tokens.ts'

export const command = defineCommand({
  summary: 'measure the cost of a read and of an operation, as ratios to baselines of the same run',
  usage: [
    ['bench', 'all parts'],
    ['bench --only <part>,…', `these parts: ${parts.join(', ')}`],
    ['bench --stored <n>,…', 'the cost of an operation beside so many stored ones, for example 10000,5000000'],
    ['bench --operators <n>,…', "the cost of the operators' queries beside so many stored operations"],
    [
      'bench --replicas <n>,…',
      'the cost of a request with so many gateways, operations and submitters, for example 1,2,4',
    ],
    ['bench --load <minutes>', 'latency, memory and rows read under a steady load at half the saturation'],
  ],
  options: {
    only: { type: 'string' },
    stored: { type: 'string' },
    operators: { type: 'string' },
    replicas: { type: 'string' },
    load: { type: 'string' },
  },
  run: async ({ values }) => {
    const wanted = partsOf(values.only)
    const stored = sizesOf('stored', values.stored)
    const operators = sizesOf('operators', values.operators)
    const replicas = sizesOf('replicas', values.replicas, 'numbers of replicas, for example 1,2,4')
    const [minutes] = sizesOf('load', values.load, 'a number of minutes, for example 60') ?? []
    // The client needs no stack.
    if (values.only === 'client') return tableOf(await benchClient())
    await withStack(async (stack) => {
      if (stored) await benchStored(stack, stored)
      else if (operators) await benchOperators(stack, operators)
      else if (replicas) await benchReplicas(stack, replicas)
      else if (minutes) await benchLoad(stack, minutes)
      else await benchParts(stack, wanted)
    })
    return undefined
  },
})

function partsOf(given: string | undefined): readonly string[] {
  const wanted = given?.split(',') ?? parts
  const unknown = wanted.find((name) => !parts.some((part) => part === name))
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: give any of ${parts.join(', ')}`)
  return wanted
}

function sizesOf(
  option: string,
  given: string | undefined,
  wanted = 'numbers of operations, for example 10000,5000000',
): number[] | undefined {
  const sizes = given?.split(',').map(Number)
  if (sizes?.some((size) => !Number.isInteger(size) || size < 1))
    throw new UsageError(`--${option} ${given}: give ${wanted}`)
  return sizes
}

async function withStack(measure: (stack: Stack) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-bench-'))
  const stack = await startStack({
    processes: true,
    ...(await prepareStacks({ log: () => {} })),
    folder,
    log: () => {},
    providerLatencyMs: 5,
    environment: { all: { LOG_LEVEL: 'warn' }, gateway: { GRANT_RATE_PER_S: '0', ADDRESS_RATE_PER_S: '0' } },
  })
  const stop = async () => {
    await stack.stop()
    await removeStackFolder(folder)
  }
  // An interrupted run leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  try {
    await measure(stack)
  } finally {
    await stop()
  }
}

async function benchParts(stack: Stack, wanted: readonly string[]): Promise<void> {
  const { verificationUs } = benchDpop()
  say(`baseline: one ES256 verification ${verificationUs.toFixed(0)} CPU µs`)
  const commits = await benchCommits(stack)
  say(
    `baseline: single-row insert, committed, 32 at once: ${commits.perS.toFixed(0)}/s, ${commits.cpuUs.toFixed(0)} CPU µs\n`,
  )
  const benches: Record<Part, () => Promise<Figures>> = {
    tokens: () => benchTokens(stack),
    read: () => benchRead(stack),
    operations: () => benchOperations(stack, { commits, verificationUs }),
    durable: () => benchDurable(stack, { commits, verificationUs }),
    start: () => benchStart(stack),
    dev: benchDev,
    client: benchClient,
  }
  const figures: Figures = {}
  for (const part of parts) if (wanted.includes(part)) Object.assign(figures, await benches[part]())
  for (const line of tableOf(figures)) say(line)
}

if (import.meta.main) runCommand('bench', command)
