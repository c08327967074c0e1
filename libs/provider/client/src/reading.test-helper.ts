/**
 * A reader in its surroundings: a provider whose answers and delays the test controls, and an onboarding that gives each
 * binding the credentials `credentials of <binding>`.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { Problem } from '@financial-agents/contract/problem'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { vi } from 'vitest'
import { createProviderReader } from './reader.ts'

export type Answer = { status: number; body: unknown }

export const countries: Answer = { status: 200, body: { data: [] } }

export async function startReading(options: { readTimeoutMs: number; connections: number }) {
  /** Without `answer` the provider never answers. With `hold` it answers at `release`. */
  const upstream = {
    answer: countries as Answer | undefined,
    hold: false,
    /** The binding of each request that arrived. */
    asked: [] as string[],
    release: () => {
      for (const answer of held.splice(0)) answer()
    },
  }
  const held: (() => void)[] = []
  const respond = (response: ServerResponse) => {
    if (upstream.answer) response.writeHead(upstream.answer.status).end(JSON.stringify(upstream.answer.body))
  }
  const server = createServer(({ headers }, response) => {
    upstream.asked.push(String(headers.authorization).replace('Bearer credentials of ', ''))
    if (upstream.hold) held.push(() => respond(response))
    else respond(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const nats = await startTestNats()
  const lines: string[] = []
  const log = createLog({ service: 'cards', level: 'debug', destination: { write: (line) => lines.push(line) } })
  const sealer = createSealer([{ id: 'c', key: randomBytes(32) }])
  const onboarding = { says: 'knows' as 'knows' | 'knows nothing' | 'fails', asked: 0 }
  serveCall(
    await nats.connect('onboarding'),
    'int.onboarding.credentials',
    async ({ binding_ids }) => {
      onboarding.asked += 1
      if (onboarding.says === 'fails') throw new Error('broken')
      if (onboarding.says === 'knows nothing') return []
      return binding_ids.map((binding_id) => ({
        binding_id,
        provider: 'fake',
        credentials_sealed: sealer.seal(Buffer.from(`credentials of ${binding_id}`), binding_id).toString('base64'),
      }))
    },
    { log: createLog({ service: 'onboarding', level: 'silent' }) },
  )
  const { connections, readTimeoutMs } = options
  const provider = createHttpAdapter({ baseUrl, connections, connectTimeoutMs: readTimeoutMs })
  const clock = createClock()
  const bus = await nats.connect('cards')
  const newReader = (timeoutMs = readTimeoutMs) =>
    createProviderReader({ bus, credentialSealer: sealer, clock, log, readTimeoutMs: timeoutMs })
  return {
    upstream,
    onboarding,
    provider,
    clock,
    lines,
    newReader,
    reset: () => {
      Object.assign(upstream, { answer: countries, hold: false, asked: [] })
      Object.assign(onboarding, { says: 'knows', asked: 0 })
      lines.length = 0
    },
    /** Resolves once the provider was asked so many times. */
    wasAsked: (times: number) =>
      vi.waitFor(
        () => {
          if (upstream.asked.length < times) throw new Error(`asked ${upstream.asked.length} of ${times} times`)
        },
        { timeout: 120_000, interval: 5 },
      ),
    stop: async () => {
      await nats.stop()
      server.closeAllConnections()
      server.close()
      await provider.close()
    },
  }
}

export function newContext(timeoutMs?: number) {
  const context = { principal: { binding_id: randomUUID() as string | null }, traceparent: '' }
  return timeoutMs === undefined ? context : { ...context, timeoutMs }
}

/** The problem of a rejected promise; undefined if it resolved. */
export function problemOf(promise: Promise<unknown>) {
  return promise.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Problem) return error.data
      throw error
    },
  )
}
