/** A host of the MCP server: the official client, and the server in this process or in one of its own. */

import { join } from 'node:path'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { serveInProcess } from '../../../libs/clients/mcp/src/in-process.test-helper.ts'
import type { Times } from '../../../libs/clients/mcp/src/serve-stdio.ts'
import type { TestStack } from '../../stack.test-helper.ts'
import { codePattern } from '../client/owner-flow.ts'

/** Bounds a hang, and nothing else. */
const patienceMs = 240_000

/** An answer of a tool: the head of every answer, and its data. */
export type Answer = {
  status: string
  message: string
  do_not_repeat: boolean
  next: { tool: string; arguments: Record<string, unknown> } | null
  owner_action?: { kind: string; url: string; code?: string }
  problem?: { code: string; detail: string; fields: { path: string; message: string }[] }
  isError: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the data of its answers
  [data: string]: any
}

export type Host = {
  client: Client
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>
  /** Calls the tool, and follows `next` until the outcome is known. */
  follow(tool: string, args?: Record<string, unknown>): Promise<Answer>
  /** The addresses that the person was asked to open. */
  elicited: { url: string; message: string }[]
  /** The standard error of the server, or the errors of its connection. */
  errors: string[]
  close(): Promise<void>
}

export type HostOptions = {
  stack: Pick<TestStack, 'baseUrl'>
  /** The folder of the client's store. */
  store: string
  clientId?: string
  /** More options of the server's command line. */
  more?: string[]
  /** 2025: a session with `initialize`. 2026: stateless requests. */
  protocol?: '2025' | '2026'
  /** The person's answer to an address: `decline` does not open it. A host without this has no elicitation. */
  open?: (url: string, code?: string) => unknown
  /** Other times than those of a server in this process. */
  times?: Partial<Times>
  /** The program of a server that is a process of its own. */
  command?: { command: string; args: string[]; cwd?: string }
}

/** The server as a process, from its sources. */
export const serverProcess = {
  command: process.execPath,
  args: ['--conditions=@financial-agents/source', join(import.meta.dirname, '../../../libs/clients/mcp/src/main.ts')],
}

/** Starts the server and connects to it. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { stack, store, clientId = 'errand-runner', more = [], protocol = '2025', open, times, command } = options
  const elicited: Host['elicited'] = []
  const errors: string[] = []
  const capabilities = open ? { elicitation: { url: {} } } : {}
  const client = new Client(
    { name: 'test-host', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: protocol === '2026' ? 'auto' : 'legacy' } },
  )
  if (open)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (!('url' in params)) throw new Error('a form was shown to the owner')
      elicited.push({ url: params.url, message: params.message })
      return {
        action: (await open(params.url, codePattern.exec(params.message)?.[0])) === 'decline' ? 'decline' : 'accept',
      }
    })
  const args = ['--api', stack.baseUrl, '--client-id', clientId, '--store', store, ...more]
  const transport = command
    ? processOf({ ...command, args: [...command.args, ...args] }, errors)
    : serveInProcess(args, ({ message }) => errors.push(message), times)
  await client.connect(transport, { timeout: patienceMs })
  const call: Host['call'] = async (tool, args = {}) => {
    const result = await client.callTool({ name: tool, arguments: args }, { timeout: patienceMs })
    const [content] = result.content
    if (!result.structuredContent || content?.type !== 'text')
      throw new Error(`${tool} has no structured answer: ${JSON.stringify(result)}`)
    if (content.text !== JSON.stringify(result.structuredContent)) throw new Error('the text is not the data')
    return { ...(result.structuredContent as Answer), isError: result.isError === true }
  }
  return {
    client,
    call,
    elicited,
    errors,
    follow: async (tool, args) => {
      let answer = await call(tool, args)
      while (answer.next && answer.status !== 'prepared') answer = await call(answer.next.tool, answer.next.arguments)
      return answer
    },
    close: () => client.close(),
  }
}

function processOf(command: NonNullable<HostOptions['command']>, errors: string[]): StdioClientTransport {
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache }
  const transport = new StdioClientTransport({ ...command, env, stderr: 'pipe' })
  transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  return transport
}
