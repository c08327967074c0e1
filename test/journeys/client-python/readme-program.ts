/** The program of the README of the Python client, killed in mid-write and run again. The provider's ledger decides. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { expect } from 'vitest'
import { providerOf, type TestStack } from '../../stack.test-helper.ts'
import { readerOf, walkerOf } from '../client/owner-flow.ts'
import type { Fate, Proxy } from '../client/proxy.ts'
import { readmeProgram } from './installed.ts'

const payment = 'POST /v1/spending-account/withdrawals'
const fates: readonly Fate[] = ['lost_answer', 'lost_request']

type Setting = {
  /** The interpreter that has the client. */
  python: string
  /** The folder of the program and of its store. */
  folder: string
  stack: TestStack
  proxy: Proxy
  kills: number
  /** Kills the gateway too, at every so many kills. */
  gatewayDiesEvery?: number
}

/** Kills the program while its payment is under way, and runs it again. Expects one payment for each intent. */
export async function killReadmeProgram(setting: Setting): Promise<void> {
  const { stack, proxy, kills, gatewayDiesEvery = Number.POSITIVE_INFINITY } = setting
  const before = (await paymentsOf(stack)).length
  const operations = [await finish(setting, 'rent-0', '1.00')]
  for (let kill = 1; kill <= kills; kill += 1) {
    const [intent, amount] = [`rent-${kill}`, `1.${String(kill).padStart(2, '0')}`]
    const program = await start(setting, intent, amount)
    const decided = new Promise<void>((resolve) => proxy.order(payment, fates[kill % 2] as Fate, resolve))
    await Promise.race([decided, program.exited])
    const gatewayDies = kill % gatewayDiesEvery === 0
    if (gatewayDies) await stack.kill('gateway')
    await program.kill()
    if (gatewayDies) await stack.start('gateway')
    // The answer of the repetition is lost too.
    if (kill % 4 === 0) proxy.order(payment, 'lost_answer')
    operations.push(await finish(setting, intent, amount))
  }
  expect(operations.filter((line) => !/^succeeded [0-9a-f-]{36}$/.test(line))).toEqual([])
  expect(new Set(operations).size).toBe(kills + 1)
  const payments = await paymentsOf(stack)
  expect(payments).toHaveLength(before + kills + 1)
  const ids = new Set(payments.map((entry) => `succeeded ${entry.client_reference}`))
  expect(operations.filter((line) => !ids.has(line))).toEqual([])
}

async function paymentsOf(stack: TestStack) {
  return (await providerOf(stack).ledger()).filter(({ kind }) => kind === 'transfer')
}

/** The owner opens the address that the program shows. */
async function start({ python, folder, stack }: Setting, intent: string, amount: string): Promise<Child> {
  const program = (await readmeProgram()).replaceAll('rent-2026-11', intent).replaceAll('"12.50"', `"${amount}"`)
  await writeFile(join(folder, 'program.py'), program)
  return startChild('python', python, ['program.py'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], API: stack.baseUrl, PYTHONUNBUFFERED: '1' },
    onLine: readerOf(/(?:"url": "|url=')(http\S+?)["']/, walkerOf(stack, 'ines').open),
  })
}

/** Runs it to its end; returns what it printed last. */
async function finish(setting: Setting, intent: string, amount: string): Promise<string> {
  const program = await start(setting, intent, amount)
  const { code } = await program.exited
  if (code !== 0) throw new Error(`the program ended with ${code}: ${program.lastLines(20).join('\n')}`)
  return program.lastLines(1).join('')
}
