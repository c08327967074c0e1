/**
 * Records the statements that the real services run on their databases in some seeds, with transactions one at a time,
 * and the answers of the in-memory models: `node test/simulation/record.ts <first>..<last> <file>`. The test of the in-memory models repeats
 * the recording on PostgreSQL.
 */

import { closeSync, openSync, writeSync } from 'node:fs'
import { encode, type Line } from './recording.ts'
import { installDeterminism } from './virtual/determinism.ts'

const [, , range = '0..1', file = '/dev/stdout'] = process.argv
const [first = 0, last = 1] = range.split('..').map(Number)
Error.stackTraceLimit = 0
installDeterminism()
const { runSeed } = await import('./seed.ts')
const { askTheRest } = await import('./extras.ts')
const { createCrossings } = await import('./mutants/crossings.ts')

const out = openSync(file, 'w')
const write = (line: Line) => writeSync(out, `${JSON.stringify(line)}\n`)
for (let seed = first; seed < last; seed += 1) {
  write({ type: 'seed', seed })
  const crossings = createCrossings((entry, crossed) => write(encode(crossed ? { ...entry, crossed } : entry) as Line))
  const { violation } = await runSeed(seed, null, {
    ...crossings,
    askTheRest,
    tables: (stores) => {
      for (const store of Object.values(stores)) {
        const tables = [...store.tables].map(([name, table]) => [name, [...table.rows.values()]])
        write(encode({ type: 'tables', service: store.name, tables: Object.fromEntries(tables) }) as Line)
      }
    },
  })
  if (violation) throw violation
}
closeSync(out)
process.exit(0)
