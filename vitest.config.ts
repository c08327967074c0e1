/** The projects of the tests: unit tests run with every commit, the others need the whole stack, a browser or more time. */

import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { isDeep } from './libs/development/testkit/src/vitest/deep.ts'
import { LongestFirst } from './libs/development/testkit/src/vitest/longest-first.ts'

/** Bounds of a hang, and of nothing else: on a busy machine everything takes many times as long as usual. */
const hangMs = 1_800_000
const patient = { testTimeout: hangMs, hookTimeout: hangMs, expect: { poll: { timeout: 120_000 } } }

const postgres = 'libs/platform/postgres/src/testing/global-setup.ts'
const stacks = 'libs/development/testkit/src/vitest/prepare-stacks.ts'
const setupFiles = ['end-with-runner', 'fixed-seed'].map((name) => `libs/development/testkit/src/vitest/${name}.ts`)

/** The command `test` runs all tests as several runs in one terminal. A live summary of each would overwrite the others. */
const besideOthers = process.channel !== undefined

/**
 * Node imports the TypeScript itself, as it does for the services, and keeps what it compiled for the next process. Vite
 * would transform each module for every run and send it to every worker.
 */
const byNode = { experimental: { viteModuleRunner: false, nodeLoader: false } }

/** Files with processes of their own. They wait more than they compute, so there are more of them than cores. */
const sideBySide = { ...patient, ...byNode, setupFiles, maxWorkers: availableParallelism() + 5 }

/** Unit tests that need a process of their own: they replace globals, or read what the whole process has counted. */
const alone = [
  'libs/platform/runtime/**/*.test.ts',
  'libs/development/servers/**/*.test.ts',
  'libs/development/testkit/**/*.test.ts',
  'libs/provider/port/src/circuits.test.ts',
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
const ofPackages = 'test/journeys/{client-published,client-skill,mcp-published,sandbox-published}.test.ts'

/** The files of these folders that the command runs: in `test --deep` only those that do more there, or run only there. */
const filesIn = (...folders: readonly string[]) => ({
  include: folders.map((folder) => `${folder}/**/*.${isDeep ? '{deep,seeded}.' : ''}test.ts`),
  exclude: [...configDefaults.exclude, ...(isDeep ? [] : ['**/*.deep.test.ts'])],
})

/** Files that share one stack, and stop its services or move its clock: one after the other, in one worker. */
const oneByOne = { ...patient, ...byNode, fileParallelism: false, isolate: false }

if (process.channel) {
  // The command was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

const unit = filesIn('libs', 'services', 'deploy', 'test/{architecture,clients,servers}')
const journeys = filesIn('test/{chaos,contract,docs,journeys}')

const projects: TestProjectConfiguration[] = [
  {
    ...fromSources,
    test: {
      ...sideBySide,
      name: 'unit',
      // A worker keeps its modules from file to file: importing them anew took half of the time.
      isolate: false,
      include: unit.include,
      exclude: [...unit.exclude, ...alone],
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
      include: journeys.include,
      exclude: [...journeys.exclude, ofPackages],
      globalSetup: [stacks],
    },
  },
  {
    ...fromSources,
    test: {
      ...sideBySide,
      name: 'simulation',
      ...filesIn('test/simulation'),
      // The tests of the statements compare with a real one.
      globalSetup: [postgres],
    },
  },
  {
    ...fromSources,
    test: {
      ...oneByOne,
      name: 'authorization',
      sequence: { groupOrder: 1 },
      ...filesIn('test/authorization'),
      globalSetup: [stacks, 'test/authorization/global-setup.ts'],
      setupFiles: [...setupFiles, 'test/authorization/search-logs.ts'],
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
      setupFiles: [...setupFiles, 'test/pages/ask-for-stack.ts'],
    },
  },
]

const onlyInTest: TestProjectConfiguration[] = [
  { ...fromSources, test: { ...sideBySide, name: 'unit-alone', include: alone, globalSetup: [postgres] } },
]

/** Packed packages, bundles and images, charts, and clients that generators make. */
const onlyInDeep: TestProjectConfiguration[] = [
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
      name: 'images',
      include: ['test/images/**/*.test.ts'],
    },
  },
  {
    ...fromSources,
    test: {
      ...sideBySide,
      name: 'kubernetes',
      include: ['test/helm/**/*.test.ts'],
      globalSetup: [postgres, 'test/helm/global-setup.ts'],
    },
  },
  {
    ...fromSources,
    test: { ...sideBySide, name: 'interop', include: ['test/interop/**/*.test.ts'], globalSetup: [stacks] },
  },
]

export default defineConfig({
  test: {
    reporters: [
      ['default', besideOthers ? { summary: false } : {}],
      './libs/development/testkit/src/vitest/summary-reporter.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: [...projects, ...(isDeep ? onlyInDeep : onlyInTest)],
  },
})
