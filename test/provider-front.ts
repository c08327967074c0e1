/**
 * A front before the provider in Python: it keeps a ledger of the instructions that arrive, and makes the faults that the journeys and the
 * chaos runs order from the fake provider. It is controlled by the same functions as `providerOf`.
 *
 * Invariant: the front counts the instructions that arrived, and reads the executed ones from the provider's own
 * tables. It derives neither from an answer.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { findCall, providerPath } from '@financial-agents/provider-http/api/paths'
import { startPythonProvider } from '@financial-agents/testkit/python-provider'
import type { LedgerEntry, providerOf } from './stack.test-helper.ts'

/** The functions by which a run controls a provider and reads its ledger. */
export type ProviderControl = Pick<ReturnType<typeof providerOf>, 'faultOf' | 'clearFaults' | 'ledger' | 'summary'>

export type ProviderFront = ProviderControl & {
  /** The address of the front. To everybody else, it is the provider's address. */
  readonly url: string
  /** Makes a connection of a person; returns its credentials. Persons who approve have to approve every payment and mandate. */
  connect(approves: boolean): Promise<string>
  close(): Promise<void>
}

/** The beneficiary whom the provider in Python accepts. */
export const pythonPayout = {
  country: 'NL',
  payout_schema_id: 'iban_nl_eur',
  details: { iban: 'NL91ABNA0417164300' },
} as const

type Script = 'accept_drop_reply' | 'drop_before_accept' | 'refuse' | 'slow'
type Fault = { readonly kind: string; readonly script: Script; left: number; readonly delayMs: number }
type Arrival = Omit<LedgerEntry, 'outcome'> & { outcome: string }

function scriptOf(text: string): Script {
  if (text === 'accept_drop_reply' || text === 'drop_before_accept' || text === 'refuse' || text === 'slow') return text
  throw new Error(`the front makes no fault ${text}`)
}

/** Starts the provider in Python with tables on disk, and the front before it. */
export async function startProviderFront(): Promise<ProviderFront> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-python-provider-'))
  const file = join(folder, 'provider.sqlite')
  const python = await startPythonProvider(file)
  const tables = new DatabaseSync(file, { readOnly: true })
  const executed = tables.prepare(
    `SELECT count(*) AS times FROM records WHERE client_reference = ? AND status = 'succeeded'`,
  )
  const faults: Fault[] = []
  const arrivals: Arrival[] = []

  const take = (kind: string | undefined): Fault | undefined => {
    const fault = faults.find((one) => one.kind === kind && one.left > 0)
    if (fault !== undefined) fault.left -= 1
    return fault
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const [name, row] = findCall(request.method ?? '', (request.url ?? '').split('?')[0] ?? '') ?? []
    // Faults of approvals are ordered by the name `approval`.
    const kind = name === 'prepareApproval' ? 'approval' : row?.kind
    if (kind !== undefined && row?.nature === 'instruction') arrivals.push(arrivalOf(kind, body, arrivals.length + 1))
    const fault = take(kind)
    if (fault?.script === 'drop_before_accept') return void request.socket.destroy()
    if (fault?.script === 'refuse')
      return void response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: 'refused' } }))
    const answer = await forward(python.url, request, body)
    if (fault?.script === 'accept_drop_reply') return void request.socket.destroy()
    if (fault?.script === 'slow') await delay(fault.delayMs)
    return void response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const timesExecuted = (reference: string) => Number(executed.get(reference)?.['times'] ?? 0)
  const validated = (arrival: Arrival): LedgerEntry => ({
    ...arrival,
    outcome: timesExecuted(arrival.client_reference) > 0 ? 'executed' : 'not_executed',
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async faultOf(match, script, { times = Number.POSITIVE_INFINITY, options = {} } = {}) {
      const delayMs = (options as { delay_ms?: number }).delay_ms ?? 0
      faults.push({ kind: match['kind'] ?? '', script: scriptOf(script), left: times, delayMs })
    },
    async clearFaults() {
      faults.length = 0
    },
    async ledger(reference) {
      return arrivals.filter((one) => reference === undefined || one.client_reference === reference).map(validated)
    },
    async summary() {
      const times = Map.groupBy(arrivals, ({ client_reference }) => client_reference)
      const doubled = [...times].filter(([reference, all]) => all.length > 1 || timesExecuted(reference) > 1)
      return {
        mutations: arrivals.length,
        references: times.size,
        repeated: doubled.map(([client_reference, all]) => ({ client_reference, arrivals: all.length })),
      }
    },
    async connect(approves) {
      const response = await fetch(new URL(providerPath('createSandboxConnection'), python.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ approves }),
      })
      return ((await response.json()) as { credentials: string }).credentials
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      tables.close()
      await python.stop()
      await rm(folder, { recursive: true })
    },
  }
}

function arrivalOf(kind: string, body: Buffer, sequence: number): Arrival {
  const { client_reference } = JSON.parse(body.toString()) as { client_reference: string }
  return { sequence, received_at: new Date().toISOString(), kind, client_reference, outcome: 'received' }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Sends a request on with its own `Host`, so that the provider's pages have the address of the front. */
function forward(target: string, request: IncomingMessage, body: Buffer) {
  const { url = '/', method = 'GET', headers } = request
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const { 'transfer-encoding': _, connection: __, ...kept } = headers
    const sent = httpRequest(new URL(url, target), {
      method,
      agent: false,
      headers: { ...kept, 'content-length': body.length },
    })
    sent.once('error', reject)
    sent.once('response', (answer) => {
      const { connection: ___, 'keep-alive': ____, 'transfer-encoding': _____, ...shown } = answer.headers
      bodyOf(answer).then((text) => resolve({ status: answer.statusCode ?? 502, headers: shown, body: text }), reject)
    })
    sent.end(body)
  })
}
