/** The targets of the benchmarks, and the table that compares them with the figures of one run. */

import { linesOf } from '@financial-agents/runtime/command'

/** The parts that `--only` chooses from, in the order in which they run. */
export const parts = ['tokens', 'read', 'operations', 'durable', 'start', 'dev', 'client'] as const

export type Part = (typeof parts)[number]

type Target = { part: Part; meaning: string } & ({ atMost: number } | { atLeast: number })

/** A verification is the CPU time of one ES256 verification in the same run. */
export const targets = {
  tokenRate: { part: 'tokens', meaning: 'a token: rate ÷ oidc-provider alone in memory', atLeast: 1 },
  readVerifications: { part: 'read', meaning: 'a read by key: CPU of all processes in verifications', atMost: 3 },
  readRate: { part: 'read', meaning: 'a read by key: rate ÷ Express with DPoP', atLeast: 3.5 },
  writeVerifications: { part: 'operations', meaning: 'HTTP request to terminal: CPU in verifications', atMost: 15.6 },
  operationVerifications: { part: 'durable', meaning: 'acceptance to terminal: CPU in verifications', atMost: 7 },
  operationRate: { part: 'durable', meaning: 'acceptance to terminal: rate ÷ pg-boss', atLeast: 3.5 },
  operationP50Ms: { part: 'durable', meaning: 'acceptance to terminal at 150/s: p50, ms', atMost: 8 },
  operationP99Ms: { part: 'durable', meaning: 'acceptance to terminal at 150/s: p99, ms', atMost: 20 },
  walBytes: { part: 'durable', meaning: 'acceptance to terminal: WAL, bytes', atMost: 3_000 },
  walRecords: { part: 'durable', meaning: 'acceptance to terminal: WAL, records', atMost: 20 },
  startCpuS: { part: 'start', meaning: 'the dearest service until /ready, with telemetry: CPU, s', atMost: 0.3 },
  startRssMb: { part: 'start', meaning: 'the largest service at /ready, with telemetry: memory, MB', atMost: 90 },
  clientKb: { part: 'client', meaning: 'the client, a program that reads and pays: gzipped, kB', atMost: 15 },
  clientImportMs: { part: 'client', meaning: 'the client: cold import, ms', atMost: 30 },
  devReadyS: { part: 'dev', meaning: '`dev`, warm, until ready: s', atMost: 5 },
} as const satisfies Record<string, Target>

/** Figures of a run. A figure that was not measured is absent. */
export type Figures = { [Name in keyof typeof targets]?: number }

/** Returns a line for each target. */
export function tableOf(figures: Figures): string[] {
  const rows = Object.entries(targets as Record<string, Target>).map(([name, target]) => {
    const measured = figures[name as keyof Figures]
    const wanted = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
    if (measured === undefined) return [target.meaning, wanted.padEnd(8), 'not measured in this run']
    const reached = 'atMost' in target ? measured <= target.atMost : measured >= target.atLeast
    return [target.meaning, wanted.padEnd(8), `${rounded(measured).padEnd(8)} ${reached ? '✓' : '✗ missed'}`]
  })
  return ['target, wanted, measured', ...linesOf(rows)]
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}
