/**
 * The rendered cases: both profiles unchanged, and a file of values in `cases/` for each optional feature. A file whose
 * name begins with `development` is applied on top of the development profile, any other on top of production.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const chart = join(root, 'helm/financial-agents-api')

/** Short names. The namespace differs from every name in the chart. */
export const release = 'fa'
export const namespace = 'agents'

const casesFolder = join(import.meta.dirname, 'cases')

/** The values files of each case, in helm's order. */
export const cases: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ['production', profile('production')],
  ['development', profile('development')],
  ...readdirSync(casesFolder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file): [string, string[]] => [
      file.slice(0, -'.yaml'.length),
      [...profile(file.startsWith('development') ? 'development' : 'production'), join(casesFolder, file)],
    ]),
])

/** The values files of a profile: the chart's defaults and the least that a user must set. */
export function profile(name: 'production' | 'development'): string[] {
  return [join(chart, name === 'production' ? 'ci/production-values.yaml' : 'values-dev.yaml')]
}
