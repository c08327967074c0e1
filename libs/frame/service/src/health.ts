/**
 * The health listener, the only HTTP of a service other than the gateway. `/live` shows that the process runs, and
 * checks nothing else. `/ready` runs the given checks. Prometheus scrapes `/metrics`. In development and tests, PUT
 * /clock moves the process's clock. It is plain `node:http`: most services have no other HTTP, and need no framework.
 */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { MovableClock } from '@financial-agents/runtime/clock'
import { z } from 'zod'

/** The address of the health listener, and its checks. */
export type HealthOptions = {
  /** The service's name, a label of every metric. */
  service: string
  host: string
  port: number
  /** The clock that PUT /clock moves; null if it must not be moved. */
  clock: MovableClock | null
  /** Returns the checks by name. A check resolves if its part works, and rejects if not. */
  checks: () => Readonly<Record<string, () => Promise<unknown>>>
}

const offset = z.strictObject({ offset_ms: z.number().int() })

type Answer = { status?: number; type?: string; body: string }
type Answers = Readonly<Record<string, (request: IncomingMessage) => Answer | Promise<Answer>>>

/** Starts the listener. `/ready` answers 503 until `setReady` is called. */
export async function startHealth(options: HealthOptions) {
  let ready = false
  const { clock } = options
  const answers: Answers = {
    'GET /live': () => json({ status: 'ok' }),
    'GET /ready': async () => {
      const failing = ready ? await failingChecks(options.checks()) : ['starting or stopping']
      return failing.length > 0 ? json({ status: 'unavailable', failing }, 503) : json({ status: 'ok', failing })
    },
    'GET /metrics': async () => {
      const { metricsContentType, scrape } = await import('@financial-agents/runtime/metrics/scrape')
      return { type: metricsContentType, body: await scrape(options.service) }
    },
    ...(clock ? { 'PUT /clock': (request) => moveClock(clock, request) } : {}),
  }
  const server = createServer((request, response) => {
    void answer(answers, request).then(({ status = 200, type = 'application/json; charset=utf-8', body }) => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: options.host, port: options.port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    setReady: (value: boolean) => {
      ready = value
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function answer(answers: Answers, request: IncomingMessage): Promise<Answer> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const path = request.url?.replace(/\?.*$/s, '')
  try {
    return (await answers[`${method} ${path}`]?.(request)) ?? json({ error: 'not found' }, 404)
  } catch {
    return json({ error: 'failed' }, 500)
  }
}

function json(value: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(value) }
}

async function moveClock(clock: MovableClock, request: IncomingMessage): Promise<Answer> {
  const parsed = offset.safeParse(await readJson(request))
  if (!parsed.success) return json({ error: 'send {"offset_ms": whole milliseconds}' }, 422)
  clock.setOffsetMs(parsed.data.offset_ms)
  return json({ now: clock.now().toISOString() })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await text(request))
  } catch {
    return undefined
  }
}

async function failingChecks(checks: ReturnType<HealthOptions['checks']>): Promise<string[]> {
  const names = Object.keys(checks)
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
  return names.filter((_name, index) => results[index]?.status === 'rejected')
}
