/** The report at the end of `pnpm chaos`. */

import type { World } from './world.ts'

export type Facts = { seed: number; runs: number; cells: number; seconds: number; breaches: readonly string[] }

export async function report({ book, database, kills, provider }: World, facts: Facts): Promise<string> {
  const { rows } = await database.query<{ kind: string; state: string; count: number }>(
    'SELECT kind, state, count(*)::int AS count FROM operations.operations GROUP BY 1, 2 ORDER BY 1, 2',
  )
  const { mutations, references, repeated } = await provider.summary()
  const sumOf = (wanted: (row: { kind: string; state: string }) => boolean) =>
    rows.filter(wanted).reduce((sum, { count }) => sum + count, 0)
  const states = [...new Set(rows.map(({ state }) => state))].map(
    (state) => `${state} ${sumOf((row) => row.state === state)}`,
  )
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map(
    (kind) => `    ${kind.padEnd(22)} ${String(sumOf((row) => row.kind === kind)).padStart(6)}`,
  )
  const inFlight = sumOf(({ state }) => !['succeeded', 'failed', 'cancelled'].includes(state))
  return [
    '',
    `seed ${facts.seed}: ${facts.cells} cells in ${facts.runs} runs, ${kills} processes killed, ${facts.seconds.toFixed(0)} s`,
    `accepted ${book.accepted.size} as clients were told, ${sumOf(() => true)} in the table; refused ${book.refused}`,
    `  ${states.join(', ')}`,
    `  terminal ${sumOf(() => true) - inFlight} + in flight ${inFlight}`,
    ...kinds,
    `the provider's ledger: ${mutations} mutations, ${references} references, ${repeated.length} seen more than once`,
    facts.breaches.length === 0 ? 'nothing was breached' : `${facts.breaches.length} breaches:`,
    ...facts.breaches.map((breach) => `  ${breach}`),
  ].join('\n')
}
