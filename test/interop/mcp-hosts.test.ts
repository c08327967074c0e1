/** Clients of the MCP server that are not of its own SDK, over both transports: each prepares a payment, submits it twice, and one is made. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { FinancialAgents } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { fileStore } from '@financial-agents/client/stores/file'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payeeOf } from '../journeys/client/agents.ts'
import { walkerOf } from '../journeys/client/owner-flow.ts'
import { serverProcess } from '../journeys/mcp/host.ts'
import { providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { run } from './run.ts'

type Call = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>
type Host = { tools: readonly string[]; call: Call; close: () => Promise<unknown> }
type Connect = (where: Where) => Promise<Host>
type Where = { command: string; args: string[] } | { url: string; token: string }

const secret = 'e'.repeat(64)
const scopes = [
  'authorization:read',
  'beneficiaries:read',
  'beneficiaries:write',
  'operations:read',
  'spending:withdraw',
] as const

let stack: TestStack
let folder: string
let beneficiary_id: string

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'] })
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-hosts-'))
  const agent = FinancialAgents({
    baseUrl: stack.baseUrl,
    clientId: 'errand-runner',
    store: fileStore(folder),
    auth: device({ scopes }),
    onOwnerNeeded: ({ url, code }) => void walkerOf(stack, 'ines').open(url, code),
  })
  beneficiary_id = (await agent.payee(payeeOf('Host'))).id
})
afterAll(async () => {
  await stack?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const officialOfOldGeneration: Connect = async (where) => {
  const client = new Client({ name: 'host', version: '1' })
  const transport =
    'url' in where
      ? new StreamableHTTPClientTransport(new URL(where.url), { requestInit: { headers: headersOf(where) } })
      : new StdioClientTransport({ ...where, env: { PATH: process.env['PATH'] ?? '' } })
  await client.connect(transport)
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent as never,
    close: () => client.close(),
  }
}

const aiSdk: Connect = async (where) => {
  const client = await createMCPClient({
    transport:
      'url' in where
        ? { type: 'http', url: where.url, headers: headersOf(where) }
        : new StdioTransport({ ...where, env: { PATH: process.env['PATH'] ?? '' } }),
  })
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    call: async (name, args) => {
      const { structuredContent } = await client.callTool({ name, arguments: args })
      return structuredContent as Record<string, unknown>
    },
    close: () => client.close(),
  }
}

const headersOf = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })

const serverArgs = () =>
  serverProcess.args.concat('--api', stack.baseUrl, '--client-id', 'errand-runner', '--store', folder)
const ledger = async () => (await providerOf(stack).ledger()).filter(({ kind }) => kind === 'transfer').length

/** Serves HTTP while the work lasts. */
async function overHttp(work: (url: string) => Promise<void>): Promise<void> {
  const env = { ...process.env, FINANCIAL_AGENTS_MCP_SECRET: secret }
  const child = spawn(serverProcess.command, [...serverArgs(), '--http', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    await work(line.toString().trim())
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function paysOnce(connect: Connect, where: Where, amount: string): Promise<void> {
  const before = await ledger()
  const host = await connect(where)
  expect(host.tools).toEqual(expect.arrayContaining(['prepare_payment', 'submit_payment', 'list_payees']))
  const prepared = await host.call('prepare_payment', { beneficiary_id, amount, currency: 'EUR' })
  expect(prepared).toMatchObject({ status: 'prepared' })
  const { handle } = prepared['draft'] as { handle: string }
  for (let time = 0; time < 2; time += 1)
    expect(await host.call('submit_payment', { handle })).toMatchObject({ status: 'succeeded', do_not_repeat: true })
  await host.close()
  expect(await ledger()).toBe(before + 1)
}

const hosts = { '@modelcontextprotocol/sdk': officialOfOldGeneration, '@ai-sdk/mcp': aiSdk }

test.each(Object.entries(hosts))('%s, over standard input and output', async (_, connect) => {
  await paysOnce(connect, { command: serverProcess.command, args: serverArgs() }, '1.01')
})

test.each(Object.entries(hosts))('%s, over HTTP', async (_, connect) => {
  await overHttp((url) => paysOnce(connect, { url, token: secret }, '1.02'))
})

test('the SDK for Python, over both', async ({ skip }) => {
  const python = await installPython()
  skip(python === undefined, 'Python 3.10 or newer, or PyPI, cannot be reached')
  if (python === undefined) return
  const program = join(import.meta.dirname, 'programs/mcp_host.py')
  const pay = async (env: Record<string, string>, amount: string) => {
    const before = await ledger()
    const printed = await run({
      command: python,
      args: [program],
      cwd: folder,
      env: { ...env, BENEFICIARY: beneficiary_id, AMOUNT: amount },
    })
    expect(JSON.parse(printed)).toEqual(['prepared', 'succeeded', 'succeeded'])
    expect(await ledger()).toBe(before + 1)
  }
  await pay({ COMMAND: JSON.stringify([serverProcess.command, ...serverArgs()]) }, '1.03')
  await overHttp((url) => pay({ URL: url, TOKEN: secret }, '1.04'))
})

async function installPython(): Promise<string | undefined> {
  const environment = join(folder, 'venv')
  const python = join(environment, 'bin/python')
  try {
    await run({ command: 'python3', args: ['-m', 'venv', environment], cwd: folder })
    await run({
      command: python,
      args: ['-m', 'pip', '--quiet', 'install', '--only-binary', ':all:', 'mcp==1.30.0'],
      cwd: folder,
    })
    return python
  } catch {
    return undefined
  }
}
