/** The projects of the tests: unit tests run with every commit, the others need the whole stack, a browser or more time. */

import { defineConfig } from 'vitest/config'

/** What is waited for comes when it comes: on a busy machine not within the second that is usual. */
const patient = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    reporters: ['default', './libs/testkit/src/vitest/summary-reporter.ts'],
    projects: [
      {
        test: {
          ...patient,
          name: 'unit',
          // They wait for servers more than they compute: more of them than the cores that vitest would count.
          maxWorkers: 4,
          // After the projects that have the machine to themselves.
          sequence: { groupOrder: 1 },
          include: [
            'libs/**/*.test.ts',
            'services/**/*.test.ts',
            'deploy/**/*.test.ts',
            'test/architecture/**/*.test.ts',
          ],
          globalSetup: ['libs/postgres/src/testing/global-setup.ts'],
        },
      },
      {
        test: {
          ...patient,
          name: 'journeys',
          include: ['test/{chaos,contract,journeys}/**/*.test.ts'],
          // Each file starts the whole system.
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...patient,
          name: 'authorization',
          include: ['test/authorization/**/*.test.ts'],
          globalSetup: ['test/authorization/global-setup.ts'],
          setupFiles: ['test/authorization/search-logs.ts'],
          // One stack for all files; some of them move its clock.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          ...patient,
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          // The tests of the statements compare with a real one.
          globalSetup: ['libs/postgres/src/testing/global-setup.ts'],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...patient,
          name: 'images',
          include: ['test/images/**/*.test.ts'],
          globalSetup: ['libs/postgres/src/testing/global-setup.ts'],
          fileParallelism: false,
        },
      },
      {
        test: {
          ...patient,
          name: 'kubernetes',
          include: ['test/{helm,servers}/**/*.test.ts'],
          globalSetup: ['libs/postgres/src/testing/global-setup.ts', 'test/helm/global-setup.ts'],
        },
      },
      {
        test: {
          ...patient,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          globalSetup: ['test/pages/global-setup.ts'],
          fileParallelism: false,
          isolate: false,
        },
      },
    ],
  },
})
