/**
 * Vitest's order of test files: those that take longest first, so that no long file runs alone at the end. Vitest sorts
 * by durations only where an earlier run has left them, and by the size of the file on a fresh clone. It also sorts by
 * project first, which puts the simulation behind all journeys.
 *
 * The list decides only how long a run takes. All other files keep the order of vitest.
 */

import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../stack/programs.ts'

/**
 * Files that take half a minute or more with two cores, the longest first; at the end, those of ten seconds that vitest
 * would start last.
 */
export const longFiles = [
  'test/simulation/seeds.seeded.test.ts',
  'test/simulation/mutations.seeded.test.ts',
  'test/journeys/rolling-upgrade.seeded.test.ts',
  'test/journeys/clients.seeded.test.ts',
  'test/chaos/chaos.seeded.test.ts',
  'test/journeys/going-back.deep.test.ts',
  'test/journeys/going-back.test.ts',
  'test/journeys/ending.test.ts',
  'test/journeys/mandate-authority.test.ts',
  'test/journeys/kinds.seeded.test.ts',
  'test/journeys/payloads.test.ts',
  'test/journeys/deadlines.test.ts',
  'test/contract/fuzz.seeded.test.ts',
  'test/journeys/dev.test.ts',
  'test/journeys/third-party.deep.test.ts',
  'test/images/bundles.test.ts',
  'test/images/provider-conformance.test.ts',
  'libs/provider/conformance/src/kit.deep.test.ts',
  'test/journeys/client-published.test.ts',
  'test/helm/adapter-image.test.ts',
  'test/simulation/statements.seeded.test.ts',
  'test/journeys/adversary.deep.test.ts',
  'test/contract/routes.test.ts',
  'services/fake-provider/src/conformance-catches.test.ts',
  'test/clients/clients.test.ts',
  'libs/provider/conformance/src/demanding.test.ts',
  'services/fake-provider/src/conformance.test.ts',
  'services/submitter/src/submitter.test.ts',
  'services/onboarding/src/disconnect.test.ts',
  'test/clients/python.test.ts',
  'test/clients/python-async.test.ts',
  'libs/development/servers/src/postgres-server.test.ts',
  'libs/development/testkit/src/vitest/interrupted-run.test.ts',
  'services/authz/src/provider/jwks-uri.test.ts',
] as const

const ranks = new Map<string, number>(longFiles.map((file, index) => [join(root, file), index]))
const rankOf = ({ moduleId }: Pick<TestSpecification, 'moduleId'>) => ranks.get(moduleId) ?? longFiles.length

/** The other files keep their order. */
export function longestFirst<File extends Pick<TestSpecification, 'moduleId'>>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** The order of vitest's own, with the long files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The method of a sequencer.
    return longestFirst(await super.sort(files))
  }
}
