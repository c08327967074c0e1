/**
 * Tables whose rows somebody must use. The compiler asks for the rows of a table that exists, but not for a whole table that
 * nobody serves, nor for a metric that nobody measures.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf } from '@financial-agents/bus/calls'
import { metricTable } from '@financial-agents/runtime/metrics/table'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .filter((file) => !/\.test(-helper)?\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
}

/** The gateway answers one subject, which ends in its boot id: it serves no table. */
const { gateway: _ofBootIds, ...tables } = callsOf
const answering = Object.entries(tables).flatMap(([service, rows]) => (Object.keys(rows).length > 0 ? [service] : []))

test.each(answering)('%s serves its table of calls', (service) => {
  const table = `${service.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Calls`
  const served = sourcesOf(`services/${service}`).filter((source) =>
    new RegExp(`\\bserveCalls\\(\\s*[\\w.]+,\\s*${table}\\b`).test(source),
  )
  expect(served).toHaveLength(1)
})

test('every metric of the table is measured', () => {
  const sources = [...sourcesOf('libs/*/*'), ...sourcesOf('services/*')].filter(
    (source) => !source.includes('export const metricTable'),
  )
  const unmeasured = Object.keys(metricTable).filter((name) => !sources.some((source) => source.includes(`'${name}'`)))
  expect(unmeasured).toEqual([])
})
