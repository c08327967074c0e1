/** One process may run several services: none reads the environment of the process, and none keeps its state in a module. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** Libraries for development and published programs, which run in processes of their own. */
const alone = /^libs\/(?:clients|development|provider\/conformance)\/|\/testing\/|\.test(-helper)?\.ts$/

const files = globSync('{services/*,libs/*/*}/src/**/*.ts', { cwd: root, exclude: (name) => name === 'node_modules' })
  .filter((file) => !alone.test(file))
  .toSorted()

function linesWith(pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line) && !line.startsWith(' *') && !line.startsWith('/*'))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test('only the entry of programs and the preloaded telemetry read the environment', () => {
  const readers = linesWith(/process\.env/).map((line) => line.split(':')[0] ?? '')
  expect([...new Set(readers)]).toEqual([
    'libs/platform/runtime/src/metrics/readers.ts',
    'libs/platform/runtime/src/program.ts',
    'libs/platform/runtime/src/telemetry-is-on.ts',
    'libs/platform/runtime/src/telemetry-sdk.ts',
  ])
})

test('no module keeps the state of a service: what is left is random bytes, caches of values that never change, and names of schemas', () => {
  expect(linesWith(/^(?:export )?(?:let |const \w+(?:: [^=]+)? = new (?:Map|Set)(?:<.*>)?\(\))/)).toEqual([
    'libs/api/contract/src/amount-words.ts: const formats = new Map<string, Intl.NumberFormat>()',
    'libs/api/contract/src/openapi/named-schemas.ts: const sent = new Map<string, z.ZodType>()',
    'libs/platform/pages/src/messages.ts: const formats = new Map<string, IntlMessageFormat>()',
    'libs/platform/runtime/src/context.ts: let used = pool.length',
    'libs/provider/client/src/text-shape.ts: const shapes = new Map<string, string>()',
  ])
})
