/**
 * The client as it is published. The shape of its tarball is validated by publint and attw. The program of its README, in an empty
 * folder, runs against everything at once: answers are dropped, the gateway is killed, and so is the program itself in mid-write. The
 * provider's ledger decides: one payment for each intent.
 *
 * `CLIENT_KILLS=50` is a long run.
 */

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { readerOf, walkerOf } from './client/owner-flow.ts'
import { folderOf, packClient, projectWith, readmeProgram } from './client/packed.ts'
import { type Fate, type Proxy, startProxy } from './client/proxy.ts'
import { expectPublishable } from './client/publishable.ts'

const kills = Number(process.env['CLIENT_KILLS'] ?? 12)
const payment = 'POST /v1/spending-account/withdrawals'

let stack: TestStack
let proxy: Proxy
let tarball: string
let project: string
let gatewayPort: number

beforeAll(async () => {
  const [port, behind] = [await getFreePort(), await getFreePort()]
  gatewayPort = behind
  ;[stack, tarball] = await Promise.all([
    startTestStack({
      processes: ['gateway'],
      port,
      enabledCapabilities: ['transfers.execute'],
      environment: { gateway: { PORT: String(gatewayPort) } },
    }),
    packClient(),
  ])
  ;[proxy, project] = await Promise.all([startProxy(port, gatewayPort), projectWith(tarball)])
})
afterAll(async () => {
  await proxy?.close()
  await stack?.close()
  for (const folder of [project, tarball && folderOf(tarball)]) if (folder) await rm(folder, { recursive: true })
})

/** The owner opens the address that the program shows. */
async function start(intent: string, amount: string): Promise<Child> {
  const program = (await readmeProgram()).replaceAll('rent-2026-11', intent).replaceAll("'12.50'", `'${amount}'`)
  await writeFile(join(project, 'program.mjs'), program)
  return startChild('program', process.execPath, ['program.mjs'], {
    cwd: project,
    env: { PATH: process.env['PATH'], API: stack.baseUrl },
    onLine: readerOf(/url: '(\S+)'/, walkerOf(stack, 'ines').open),
  })
}

/** Runs the program to its end; returns the line that it printed last. */
async function finish(intent: string, amount: string): Promise<string> {
  const program = await start(intent, amount)
  const { code } = await program.exited
  if (code !== 0) throw new Error(`the program ended with ${code}: ${program.lastLines(20).join('\n')}`)
  return program.lastLines(1).join('')
}

test('the tarball has what its manifest promises, and nothing else', async () => {
  const unpacked = join(project, 'node_modules/@financial-agents/client')
  const files = await expectPublishable(tarball, unpacked)
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/client.js', 'src/client.ts']),
  )
})

test('the README program is eight lines', async () => {
  expect((await readmeProgram()).trim().split('\n')).toHaveLength(8)
})

test(`${kills} kills of the program, lost requests, lost answers and dead gateways: one payment for each intent`, async () => {
  const fates: Fate[] = ['lost_answer', 'lost_request']
  const operations: string[] = []
  // Signs in and adds the payee, undisturbed.
  operations.push(await finish('rent-0', '1.00'))
  for (let kill = 1; kill <= kills; kill += 1) {
    const [intent, amount] = [`rent-${kill}`, `1.${String(kill).padStart(2, '0')}`]
    const program = await start(intent, amount)
    const decided = new Promise<void>((resolve) => proxy.order(payment, fates[kill % 2] as Fate, resolve))
    await Promise.race([decided, program.exited])
    if (kill % 3 === 0) await stack.kill('gateway')
    await program.kill()
    if (kill % 3 === 0) await stack.start('gateway')
    // The answer of the repetition is lost too.
    if (kill % 4 === 0) proxy.order(payment, 'lost_answer')
    operations.push(await finish(intent, amount))
    // A third run finds the same operation.
    if (kill % 5 === 0) expect(await finish(intent, amount)).toBe(operations.at(-1))
  }
  expect(operations.filter((line) => !/^succeeded [0-9a-f-]{36}$/.test(line))).toEqual([])
  expect(new Set(operations).size).toBe(kills + 1)
  const ledger = await providerOf(stack).ledger()
  const transfers = ledger.filter(({ kind }) => kind === 'transfer')
  expect(transfers).toHaveLength(kills + 1)
  expect(new Set(transfers.map((entry) => `succeeded ${entry.client_reference}`))).toEqual(new Set(operations))
  expect(ledger.filter(({ kind }) => kind === 'beneficiary_create')).toHaveLength(1)
})
