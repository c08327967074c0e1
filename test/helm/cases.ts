/**
 * What is rendered: both profiles as they stand, and each feature that can be switched on, as a file of values in `cases/`. A file
 * whose name begins with `development` is put on top of the development profile, every other on top of production.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const chart = join(root, 'helm/financial-agents-api')

/** Names short of a reason to differ. The namespace is none of the names in the chart. */
export const release = 'fa'
export const namespace = 'agents'

const casesFolder = join(import.meta.dirname, 'cases')

/** The values files of each case, in the order in which helm takes them. */
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

/** The values of a profile: what the chart has, and the least that its user must say. */
export function profile(name: 'production' | 'development'): string[] {
  return [join(chart, name === 'production' ? 'ci/production-values.yaml' : 'values-dev.yaml')]
}
