/**
 * The skill for coding agents in the client's package. Its code is compiled unchanged against the packed client and run
 * against the stack, so that code which an agent copies from it works.
 */

import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Agent, Outcome, Store } from '@financial-agents/client'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { keyOf, payeeOf } from './client/agents.ts'
import { folderOf, packageFolder, packClient, projectWith } from './client/packed.ts'

const run = promisify(execFile)
const file = join(packageFolder, 'skills/financial-agents-client/SKILL.md')
const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

type Skill = {
  agentOf(settings: { api: string; clientId: string; key: Record<string, string>; store: Store }): Agent
  payInvoice(agent: Agent, invoice: { id: string; payeeId: string; total: string }): Promise<Outcome>
  result(outcome: Outcome): string
  afterError(error: unknown): string
  operationOf(headers: Headers, rawBody: string, keys: { secrets: string[] }): Promise<string>
  orderFault(providerUrl: string, script: string): Promise<void>
  arrivals(providerUrl: string): Promise<number>
}

let stack: TestStack
let tarball: string
let project: string
let text: string

beforeAll(async () => {
  ;[stack, tarball, text] = await Promise.all([
    startTestStack({ enabledCapabilities: ['transfers.execute'] }),
    packClient(),
    readFile(file, 'utf8'),
  ])
  project = await projectWith(tarball)
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(join(project, 'skill.ts'), blocks.join('\n'))
})
afterAll(async () => {
  await stack?.close()
  for (const folder of [project, tarball && folderOf(tarball)]) if (folder) await rm(folder, { recursive: true })
})

test('the skill is where tools look for it, and its head is what the format allows', async () => {
  const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? []
  const { name, description, compatibility, ...rest } = parse(head) as Record<string, string>
  expect(name).toBe(basename(dirname(file)))
  expect(description?.length).toBeLessThanOrEqual(1_024)
  expect(compatibility?.length).toBeLessThanOrEqual(500)
  expect(Object.keys(rest)).toEqual(['license'])
  const packed = join(project, 'node_modules/@financial-agents/client', file.slice(packageFolder.length))
  expect(await readFile(packed, 'utf8')).toBe(text)
  for (const [, link = ''] of text.matchAll(/\]\(([^)]+)\)/g)) await readFile(join(dirname(packed), link))
})

test('its code compiles against the packed client', async () => {
  const flags = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2023,dom', '--types', '']
  await run(process.execPath, [tsc, ...flags, '--module', 'nodenext', 'skill.ts'], { cwd: project })
})

test('its code pays once, waits for what is uncertain, and validates errors and webhooks', async () => {
  const skill = (await import(/* @vite-ignore */ pathToFileURL(join(project, 'skill.ts')).href)) as Skill
  const { providerUrl } = stack
  const store = new Map<string, unknown>()
  const settings = {
    api: stack.baseUrl,
    clientId: 'ines-agent',
    key: await keyOf(stack, 'ines-agent'),
    store: {
      get: async (key: string) => store.get(key),
      set: async (key: string, value: unknown, { ifAbsent = false } = {}) => {
        if (ifAbsent && store.has(key)) return false
        store.set(key, structuredClone(value))
        return true
      },
      delete: async (key: string) => void store.delete(key),
    },
  }
  const agent = skill.agentOf(settings)
  const { id: payeeId } = await agent.payee(payeeOf('Skill'))
  const pay = (id: string) => skill.payInvoice(agent, { id, payeeId, total: '7.00' })
  const paid = await pay('1')
  expect(skill.result(paid)).toBe('paid')
  const again = await skill.payInvoice(skill.agentOf(settings), { id: '1', payeeId, total: '7.00' })
  expect(again.operation.id).toBe(paid.operation.id)
  expect(await skill.arrivals(providerUrl)).toBe(1)

  await skill.orderFault(providerUrl, 'accept_drop_reply')
  let dropped = await pay('2')
  while (skill.result(dropped) === 'look again later') dropped = await agent.wait(dropped.operation.id)
  expect(skill.result(dropped)).toBe('paid')

  await skill.orderFault(providerUrl, 'drop_before_accept')
  const operation = await agent.spending.pay(
    { beneficiary_id: payeeId, amount: '7.00', currency: 'EUR' },
    { intent: 'invoice-3' },
  )
  await expect.poll(async () => (await operation.refresh()).state).toBe('indeterminate')
  expect(skill.result(await operation.wait({ timeoutMs: 1 }))).toBe('look again later')
  expect((await agent.wait(operation.id, { timeoutMs: 0 })).operation.id).toBe(operation.id)

  await skill.orderFault(providerUrl, 'refuse')
  expect(skill.result(await pay('4'))).toBe('not paid')
  const references = (await providerOf(stack).ledger()).filter(({ kind }) => kind === 'transfer')
  expect(new Set(references.map(({ client_reference }) => client_reference)).size).toBe(references.length)
  expect(await skill.arrivals(providerUrl)).toBe(references.length)

  const wrong = await skill.payInvoice(agent, { id: '5', payeeId, total: '7.001' }).catch((error: unknown) => error)
  expect(skill.afterError(wrong)).toBe('correct the request')
  expect(skill.afterError(new TypeError('fetch failed'))).toBe('repeat the same intent')

  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const body = JSON.stringify({ type: 'operation.succeeded', data: { operation_id: paid.operation.id } })
  const at = new Date()
  const headers = new Headers({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  })
  expect(await skill.operationOf(headers, body, { secrets: [secret] })).toBe(paid.operation.id)
  await expect(skill.operationOf(headers, `${body} `, { secrets: [secret] })).rejects.toMatchObject({
    code: 'webhook_invalid',
  })
})
