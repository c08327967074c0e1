/** The command line of the server. */

import { parseArgs } from 'node:util'
import type { KnownScope } from '@financial-agents/client'
import type { HttpAccess } from './serve-http.ts'
import type { ServeOptions } from './serve-stdio.ts'

export const help = `financial-agents-mcp: an MCP server for one owner's money, over standard input and output, or over HTTP

  --api <origin>             the API, for example https://api.example.com (or FINANCIAL_AGENTS_API)
  --client-id <id>           the registered client, profile device or native (or FINANCIAL_AGENTS_CLIENT_ID)
  --redirect-uri <uri>       the registered loopback redirect: the client is native
  --scopes <list>            the scopes to ask for, separated by commas; by default those of all tools
  --store <folder>           tokens, keys, drafts and durable writes; ~/.financial-agents by default
  --account <name>           your name for the owner, if one store serves several
  --read-only                offer only tools that read
  --max-per-payment <most>   the most of one payment, such as "50.00 EUR"; once for each currency, others are refused
  --tools <list>             offer only these tools, separated by commas
  --http <port>              serve http://127.0.0.1:<port>/mcp instead, to hosts that send the secret as a bearer token
                             (FINANCIAL_AGENTS_MCP_SECRET, at least 32 characters)
  --issuer <url>             with --http: the owner's own authorization server, instead of a secret
  --subject <sub>            with --issuer: the owner there
  --resource <url>           with --issuer: the public address of this server, behind the owner's proxy
  --help                     print this`

/** The options of the server, and its port if it serves HTTP. */
export type Serving = ServeOptions & { http?: { port: number; access: HttpAccess } }

/** Reads the command line. Returns undefined for `--help`. @throws Error that says what is wrong */
export function optionsFrom(argv: readonly string[], env: NodeJS.ProcessEnv): Serving | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      api: { type: 'string' },
      'client-id': { type: 'string' },
      'redirect-uri': { type: 'string' },
      scopes: { type: 'string' },
      store: { type: 'string' },
      account: { type: 'string' },
      'read-only': { type: 'boolean' },
      'max-per-payment': { type: 'string', multiple: true },
      tools: { type: 'string' },
      http: { type: 'string' },
      issuer: { type: 'string' },
      subject: { type: 'string' },
      resource: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return undefined
  const api = values.api ?? env['FINANCIAL_AGENTS_API']
  const clientId = values['client-id'] ?? env['FINANCIAL_AGENTS_CLIENT_ID']
  if (!api || !clientId) throw new Error('Give --api and --client-id. --help shows all options.')
  return {
    api,
    clientId,
    ...(values['redirect-uri'] !== undefined && { redirectUri: values['redirect-uri'] }),
    ...(values.scopes !== undefined && { scopes: listed(values.scopes) as KnownScope[] }),
    ...(values.store !== undefined && { store: values.store }),
    ...(values.account !== undefined && { account: values.account }),
    ...(values['read-only'] && { readOnly: true }),
    ...(values['max-per-payment'] && { maxPerPayment: values['max-per-payment'] }),
    ...(values.tools !== undefined && { tools: listed(values.tools) }),
    ...(values.http !== undefined && { http: { port: portOf(values.http), access: accessOf(values, env) } }),
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`--http ${text}: give a port.`)
  return port
}

type AccessValues = { issuer?: string | undefined; subject?: string | undefined; resource?: string | undefined }

function accessOf({ issuer, subject, resource }: AccessValues, env: NodeJS.ProcessEnv): HttpAccess {
  const secret = env['FINANCIAL_AGENTS_MCP_SECRET']
  if (issuer && subject && resource) return { issuer, subject, resource }
  if (issuer || subject || resource) throw new Error('Give --issuer, --subject and --resource together.')
  if (!secret) throw new Error('Set FINANCIAL_AGENTS_MCP_SECRET, for example to that of: openssl rand -hex 32')
  return { secret }
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
