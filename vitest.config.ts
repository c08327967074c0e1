/** The projects of the tests: unit tests run with every commit, the others need the whole stack, a browser or more time. */

import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './libs/testkit/src/vitest/longest-first.ts'

/** Bounds of a hang, and of nothing else: on a busy machine everything takes many times as long as usual. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

const postgres = 'libs/postgres/src/testing/global-setup.ts'
const stacks = 'libs/testkit/src/vitest/prepare-stacks.ts'
const endWithRunner = 'libs/testkit/src/vitest/end-with-runner.ts'

/** The command `test` runs all tests as several runs in one terminal. A live summary of each would overwrite the others. */
const besideOthers = process.channel !== undefined

/**
 * Node imports the TypeScript itself, as it does for the services, and keeps what it compiled for the next process. Vite
 * would transform each module for every run and send it to every worker.
 */
const byNode = { experimental: { viteModuleRunner: false, nodeLoader: false } }

/**
 * Files with processes of their own. They wait more than they compute, so there are more of them than cores. Each run
 * beside this one has a worker too.
 */
const sideBySide = {
  ...patient,
  ...byNode,
  setupFiles: [endWithRunner],
  maxWorkers: availableParallelism() + (besideOthers ? 1 : 2),
}

/** Unit tests that need a process of their own: they replace globals, or read what the whole process has counted. */
const alone = [
  'libs/runtime/**/*.test.ts',
  'libs/servers/**/*.test.ts',
  'libs/testkit/**/*.test.ts',
  'libs/provider/src/circuits.test.ts',
  'services/authz/src/pages/confirm.test.ts',
  'services/authz/src/provider/jwks-uri.test.ts',
  // The undici of the package and the one in Node share a global.
  'services/authz/src/registration/fetch-logo.test.ts',
  'services/authz/src/registration/fetch-keys.test.ts',
]

/** The published packages are imported from their sources. */
const fromSources = { ssr: { resolve: { conditions: ['@financial-agents/source'] } } }

/**
 * Files that import a packed package as its users do, and our own from its sources. With the condition Node would import
 * the sources of both, so Vite imports these.
 */
const ofPackages = 'test/journeys/{client-published,client-skill,mcp-published}.test.ts'

/** Files that share one stack, and stop its services or move its clock: one after the other, in one worker. */
const oneByOne = { ...patient, ...byNode, fileParallelism: false, isolate: false }

if (process.channel) {
  // The command was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

export default defineConfig({
  test: {
    reporters: [['default', besideOthers ? { summary: false } : {}], './libs/testkit/src/vitest/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'unit',
          // A worker keeps its modules from file to file: importing them anew took half of the time.
          isolate: false,
          include: [
            'libs/**/*.test.ts',
            'services/**/*.test.ts',
            'deploy/**/*.test.ts',
            'test/architecture/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...alone],
          globalSetup: [postgres],
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'unit-alone',
          include: alone,
          globalSetup: [postgres],
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'journeys',
          // Each file starts the whole system. A worker keeps its modules from file to file.
          isolate: false,
          include: ['test/{chaos,contract,docs,interop,journeys}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ofPackages],
          globalSetup: [stacks],
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          experimental: { viteModuleRunner: true },
          name: 'packages',
          include: [ofPackages],
          globalSetup: [stacks],
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          // The tests of the statements compare with a real one.
          globalSetup: [postgres],
          testTimeout: 1_200_000,
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'images',
          include: ['test/images/**/*.test.ts'],
        },
      },
      {
        ...fromSources,
        test: {
          ...sideBySide,
          name: 'kubernetes',
          include: ['test/{helm,servers}/**/*.test.ts'],
          globalSetup: [postgres, 'test/helm/global-setup.ts'],
        },
      },
      {
        ...fromSources,
        test: {
          ...oneByOne,
          name: 'authorization',
          sequence: { groupOrder: 1 },
          include: ['test/authorization/**/*.test.ts'],
          globalSetup: [stacks, 'test/authorization/global-setup.ts'],
          setupFiles: [endWithRunner, 'test/authorization/search-logs.ts'],
        },
      },
      {
        ...fromSources,
        test: {
          ...oneByOne,
          name: 'pages',
          sequence: { groupOrder: 2 },
          include: ['test/pages/**/*.test.ts'],
          globalSetup: [stacks, 'test/pages/global-setup.ts'],
          setupFiles: [endWithRunner, 'test/pages/ask-for-stack.ts'],
        },
      },
    ],
  },
})
