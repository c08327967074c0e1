/**
 * The image of the conformance kit: its bundle validates a provider by its address, and an adapter package by its harness, which is mounted
 * beside it. Reports and exit codes are those of the command.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleServices } from '@financial-agents/deploy/images/bundle-services'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, type Packed, packPort, remove } from '../journeys/third-party/packed.ts'

const program = 'provider-conformance'

let folder: string
let fake: FakeProvider
let packed: Packed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-kit-'))
  ;[fake, packed] = await Promise.all([
    startFakeProvider({ executesRepeats: false }),
    packPort(),
    bundleServices({ services: [program], out: folder, version: '7.8.9-test' }),
  ])
  await compile(packed.project)
})
afterAll(async () => {
  await fake?.stop()
  if (packed) await remove(packed)
  if (folder) await rm(folder, { recursive: true })
})

/** Runs the entry point of the image. The package is looked for in `cwd`, the working directory of the container. */
async function run(args: readonly string[], cwd = folder): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = join(folder, program)
  const all = ['--require', join(home, 'telemetry.cjs'), join(home, 'main.cjs'), ...args]
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, all, { cwd, env: {} })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

test('the image says its version, its options, and what a wrong call lacks', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${program} 7.8.9-test\n`, stderr: '' })
  expect((await run(['--help'])).stdout).toMatch(/^ {2}provider-conformance --url <address> /m)
  const refused = `${program}: --url: give the address of the provider\n`
  expect(await run([])).toEqual({ code: 2, stdout: '', stderr: refused })
})

test('a provider that conforms ends it with 0, and the results are in both files', async () => {
  const [junit, json] = [join(folder, 'results.xml'), join(folder, 'results.json')]
  const only = ['--only', 'beneficiary_create: ', '--kinds', 'beneficiary_create']
  const { code, stdout } = await run(['--url', fake.url, ...only, '--junit', junit, '--json', json])
  expect(stdout).toMatch(/It conforms\.\n$/)
  expect(code).toBe(0)
  const results = JSON.parse(await readFile(json, 'utf8')) as { conforms: boolean; passed: number; failed: number }
  expect(results).toMatchObject({ conforms: true, failed: 0 })
  expect(results.passed).toBeGreaterThan(10)
  expect(await readFile(junit, 'utf8')).toMatch(/<testsuite name="instructions" tests="\d+" failures="0"/)
})

test('an adapter package is validated by its harness: 0 for an honest one', async () => {
  const json = join(folder, 'harness.json')
  const validated = await run(['--harness', './dist/harness.js', '--json', json], packed.project)
  expect(validated.stdout).toMatch(/It conforms\.\n$/)
  expect(validated.stdout).toContain('left out: the harness does not offer the read purchases')
  expect(validated.stdout).toContain('left out: the provider promises nothing about deadlines')
  expect(validated.code).toBe(0)
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ passed: 55, failed: 0 })
})

const promise = 'deadlines: { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: 1000 }'

test.each([
  ['one that lies', "type: 'uncertain'", "type: 'failed'", /^✗ transfer: a lost answer is uncertain/m],
  [
    'one that promises about deadlines what the harness does not validate',
    'deadlines: null',
    promise,
    /^✗ deadlines: a promise .*\n {4}.* list hold in the faults of the harness, or promise nothing \(deadlines: null\)$/m,
  ],
])('an adapter package is validated by its harness: 1 for %s', async (_adapter, honestPart, lie, caughtBy) => {
  const file = join(packed.project, 'dist/adapter.js')
  const honest = await readFile(file, 'utf8')
  try {
    await writeFile(file, honest.replace(honestPart, lie))
    const caught = await run(['--harness', './dist/harness.js'], packed.project)
    expect(caught.code).toBe(1)
    expect(caught.stdout).toMatch(caughtBy)
  } finally {
    await writeFile(file, honest)
  }
})

test('a harness that is not there, and one beside an address, are refused in one line', async () => {
  expect(await run(['--harness', '@acme/absent'])).toMatchObject({
    code: 2,
    stderr: `${program}: --harness @acme/absent: no such package in ${folder}\n`,
  })
  const both = await run(['--harness', './dist/harness.js', '--url', fake.url], packed.project)
  expect(both).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^provider-conformance: --harness: the harness says/),
  })
})
