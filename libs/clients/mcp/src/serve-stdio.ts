/** The server on this process's standard input and output. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { FinancialAgents, type FinancialAgentsOptions, type KnownScope, type Store } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { native } from '@financial-agents/client/auth/native'
import { proxyFetch } from '@financial-agents/client/proxy'
import { fileStore } from '@financial-agents/client/stores/file'
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { draftsIn } from './drafts.ts'
import { type Limits, maxPerPaymentOf } from './limits.ts'
import { OwnerDesk } from './owner-desk.ts'
import { createServer } from './server.ts'
import type { Dependencies } from './tool.ts'
import { withheldBy } from './tool.ts'
import { tools } from './tools/all.ts'
import { withoutByteOrderMarks } from './without-byte-order-marks.ts'

export type ServeOptions = {
  /** The environment's origin, for example `https://api.example.com`. */
  api: string
  /** The registered client id, of the profile `device` or `native`. */
  clientId: string
  /** The registered loopback redirect of a native client. Without it the client is a device client. */
  redirectUri?: string
  /** The scopes to ask for; by default those of the tools that are offered. */
  scopes?: readonly KnownScope[]
  /** The store of tokens, keys, drafts and durable writes, or its folder: `~/.financial-agents` by default. Only this user may read it. */
  store?: string | Store
  /** Your name for the owner, if one store serves several. */
  account?: string
  /** Offers only tools that read. */
  readOnly?: boolean
  /** The maximum of one payment, by currency: `['50.00 EUR']`. Payments in other currencies are then refused. */
  maxPerPayment?: readonly string[]
  /** The tools to offer; all by default. */
  tools?: readonly string[]
}

/** The longest that a call waits for the owner or for an answer, in milliseconds. Hosts give up after a minute. */
const callMs = 45_000

/** A call ends after `callMs`. These times are shorter, so that the call can still be answered. */
const usualTimes = { waitMs: 15_000, attemptTimeoutMs: 30_000, retryForMs: 20_000 }

/** The longest times, in milliseconds: a write waits for its outcome, a request for its answer, and is repeated. */
export type Times = typeof usualTimes

/**
 * Serves until the host closes the connection.
 *
 * @throws Error that says which option is wrong; nothing has been served then
 */
export async function serveStdio(options: ServeOptions): Promise<void> {
  const dependencies = dependenciesOf(options)
  const input = process.stdin.pipe(withoutByteOrderMarks())
  const transport = new StdioServerTransport(input)
  // A line that is no message of the protocol gets no answer. Hosts keep what a server writes to standard error, so the
  // text is fixed.
  const onerror = () => process.stderr.write('financial-agents-mcp: a message could not be read\n')
  await new Promise<void>((resolve) => {
    serve(() => createServer(dependencies), { transport, onerror: () => void onerror() })
    const { onclose } = transport
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has one listener, and no events
    transport.onclose = () => {
      onclose?.()
      process.stdin.unpipe(input).pause()
      resolve()
    }
  })
}

/** The dependencies of the server, from its options. @throws Error that says which option is wrong */
export function dependenciesOf(options: ServeOptions, times: Partial<Times> = {}): Dependencies {
  const { api, clientId, account = 'owner', store: given = join(homedir(), '.financial-agents') } = options
  const unknown = (options.tools ?? []).filter((name) => !tools.some((tool) => tool.name === name))
  if (unknown.length > 0)
    throw new Error(
      `--tools names no tool of this server: ${unknown.join(', ')}. There are: ${tools.map(({ name }) => name).join(', ')}.`,
    )
  const limits: Limits = {
    readOnly: options.readOnly ?? false,
    maxPerPayment: maxPerPaymentOf(options.maxPerPayment ?? []),
    tools: options.tools,
  }
  const { waitMs, ...ofRequests } = { ...usualTimes, ...times }
  const desk = new OwnerDesk(callMs)
  const store = typeof given === 'string' ? fileStore(given) : given
  const own = below(store, `mcp/${api}/${clientId}/${account}/`)
  const client: FinancialAgentsOptions = {
    baseUrl: api,
    clientId,
    account,
    store,
    auth: desk.watched(profileOf(options, limits)),
    onOwnerNeeded: desk.onOwnerNeeded,
    fetch: proxyFetch(),
    ...ofRequests,
  }
  return {
    agent: FinancialAgents(client),
    desk,
    drafts: draftsIn(own),
    limits,
    store: own,
    now: Date.now,
    waitMs,
    unknown: new Set(),
  }
}

function profileOf({ redirectUri, scopes: given }: ServeOptions, limits: Limits) {
  const offered = tools.filter((tool) => withheldBy(limits, tool) === undefined)
  const scopes = given ?? [...new Set(offered.flatMap((tool) => tool.scopes))]
  return redirectUri === undefined ? device({ scopes }) : native({ scopes, redirectUri })
}

function below(store: Store, prefix: string): Store {
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value, options) => store.set(prefix + key, value, options),
    delete: (key) => store.delete(prefix + key),
  }
}
