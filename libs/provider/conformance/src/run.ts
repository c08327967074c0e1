/**
 * Runs all cases against one provider, or the port's cases over the harness of an adapter package. Each case of
 * instructions has a reference of its own and mostly waits, so several run at a time. A fault of a read is ordered for
 * a call, so cases of reads run one after the other.
 */

import { type OperationKind } from '@financial-agents/contract/kinds'
import type { Authentication } from '@financial-agents/provider-http/authentication'
import type { Provider } from '@financial-agents/provider-port/port'
import type { AdapterHarness, OpenAdapterHarness } from './cases/adapter-harness.ts'
import { conformanceCases } from './cases/cases.ts'
import { readConformanceCases } from './cases/read-cases.ts'
import { createHarnesses } from './harnesses.ts'
import { startProxy } from './proxy.ts'
import { openSandbox } from './sandbox.ts'
import { createSender, createStranger } from './sender.ts'
import { LeftOut, wireCases } from './wire-cases.ts'

/** The part of the kit that a case belongs to. */
export type Group = 'instructions' | 'reads' | 'wire'

export type CaseResult = {
  readonly group: Group
  readonly name: string
  /** `left_out`: the provider does not make the promise or the fault that the case needs; `why` names it. */
  readonly outcome: 'passed' | 'failed' | 'left_out'
  readonly why?: string
  readonly durationMs: number
}

/** Makes an adapter for the address of a provider. */
export type OpenAdapter = (options: {
  readonly baseUrl: string
  readonly connections: number
  readonly connectTimeoutMs: number
}) => Provider | Promise<Provider>

export type RunOptions = Asked & {
  /** The address of the provider. */
  readonly url: string
  readonly open: OpenAdapter
  readonly kinds: readonly OperationKind[]
  /**
   * The authentication, for a provider that demands it. The provider is then also validated by requests without
   * authentication.
   */
  readonly authentication?: Authentication | undefined
  /** The OpenID provider at which people sign in; without it, they sign in at the provider's hosted page. */
  readonly issuer?: string | undefined
}

type Asked = {
  /** The cases to run, by their names; by default all. */
  readonly isWanted?: ((name: string) => boolean) | undefined
  readonly onResult?: ((result: CaseResult) => void) | undefined
}

type Runnable = {
  readonly group: Group
  readonly name: string
  /** The reasons for which the case cannot run. */
  readonly missing: readonly string[]
  readonly run: () => Promise<void>
}

/** Nothing listens at this port: it is reserved. */
const nowhere = 'http://127.0.0.1:9'

const limits = { connections: 16, connectTimeoutMs: 60_000 }

/** The number of cases of instructions that run at a time. */
const together = 8

/** Rejects if the provider cannot be validated at all. */
export async function runCases({
  url,
  open,
  kinds,
  authentication,
  issuer,
  isWanted,
  onResult,
}: RunOptions): Promise<readonly CaseResult[]> {
  const sender = createSender(url, authentication)
  const stranger = authentication && createStranger(url, authentication)
  const sandbox = await openSandbox(url, sender)
  const proxy = await startProxy(sender)
  const provider = await open({ ...limits, baseUrl: proxy.url })
  const unreachable = await open({ ...limits, baseUrl: nowhere })
  try {
    const harnesses = await createHarnesses(provider, unreachable, proxy, sandbox, kinds)
    const wireHarness = { ...harnesses, proxy, sandbox, stranger }
    const ofWire = wireCases(kinds, authentication !== undefined, issuer).map(
      ({ name, needs, run }): Runnable => ({
        group: 'wire',
        name,
        missing: lacking(needs === undefined ? [] : [needs], harnesses.harness.faults),
        run: () => run(wireHarness),
      }),
    )
    return await runAll([...portCases({ kinds, ...harnesses }), ...ofWire], { isWanted, onResult })
  } finally {
    await Promise.all([provider.close(), unreachable.close()])
    await proxy.close()
    await Promise.all([sender.close(), stranger?.close()])
  }
}

/** Runs the cases of the port over the harness of an adapter package. */
export async function runHarness(open: OpenAdapterHarness, asked: Asked = {}): Promise<readonly CaseResult[]> {
  const opened = await open()
  const { provider, unreachable } = opened.harness
  try {
    return await runAll(portCases(opened), asked)
  } finally {
    await Promise.all([provider.close(), unreachable.close()])
    await opened.close()
  }
}

const lacking = (needs: readonly string[], offered: ReadonlySet<string>): readonly string[] =>
  needs.filter((need) => !offered.has(need)).map((fault) => `the sandbox does not make: ${fault}`)

/** The port's cases: the cases of instructions, and the cases of the reads that the harness offers. */
function portCases({ kinds, harness, readHarness, reads }: Omit<AdapterHarness, 'close'>): readonly Runnable[] {
  const unoffered = (name: string): readonly string[] => {
    const [read, property] = name.split(': ')
    // A case whose name has no read concerns all reads.
    if (reads === undefined || (property !== undefined && reads.some((offered) => offered === read))) return []
    return [
      property === undefined ? 'the harness does not offer every read' : `the harness does not offer the read ${read}`,
    ]
  }
  return [
    ...conformanceCases(kinds).map(
      ({ name, needs, leftOut, run }): Runnable => ({
        group: 'instructions',
        name,
        missing: [leftOut?.(harness) ?? [], lacking(needs, harness.faults)].flat(),
        run: () => run(harness),
      }),
    ),
    ...readConformanceCases().map(
      ({ name, needs, run }): Runnable => ({
        group: 'reads',
        name,
        missing: [...unoffered(name), ...lacking(needs, readHarness.faults)],
        run: () => run(readHarness),
      }),
    ),
  ]
}

async function runAll(
  all: readonly Runnable[],
  { isWanted = () => true, onResult }: Asked,
): Promise<readonly CaseResult[]> {
  const wanted = all.filter(({ name }) => isWanted(name))
  const results = new Map<Runnable, CaseResult>()
  const work = async (cases: Iterator<Runnable>) => {
    for (let next = cases.next(); !next.done; next = cases.next()) {
      const result = await resultOf(next.value)
      results.set(next.value, result)
      onResult?.(result)
    }
  }
  const instructions = wanted.filter(({ group }) => group === 'instructions').values()
  await Promise.all(Array.from({ length: together }, () => work(instructions)))
  await work(wanted.filter(({ group }) => group !== 'instructions').values())
  return wanted.flatMap((one) => results.get(one) ?? [])
}

async function resultOf({ group, name, missing, run }: Runnable): Promise<CaseResult> {
  if (missing[0] !== undefined) return { group, name, outcome: 'left_out', why: missing[0], durationMs: 0 }
  const startedAt = performance.now()
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown))),
  )
  const durationMs = Math.round(performance.now() - startedAt)
  if (error === undefined) return { group, name, outcome: 'passed', durationMs }
  return { group, name, outcome: error instanceof LeftOut ? 'left_out' : 'failed', why: error.message, durationMs }
}
