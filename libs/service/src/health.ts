/**
 * The health listener, the only HTTP of a service other than the gateway. `/live` shows that the process runs, and
 * checks nothing else. `/ready` runs the given checks. Prometheus scrapes `/metrics`. In development and tests, PUT
 * /clock moves the process's clock.
 */

import type { MovableClock } from '@financial-agents/runtime/clock'
import Fastify, { type FastifyInstance } from 'fastify'
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

/** Starts the listener. `/ready` answers 503 until `setReady` is called. */
export async function startHealth(options: HealthOptions) {
  const app: FastifyInstance = Fastify({ logger: false })
  let ready = false
  app.get('/live', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const failing = ready ? await failingChecks(options.checks()) : ['starting or stopping']
    if (failing.length > 0) reply.code(503)
    return { status: failing.length > 0 ? 'unavailable' : 'ok', failing }
  })
  app.get('/metrics', async (_request, reply) => {
    const { metricsContentType, scrape } = await import('@financial-agents/runtime/metrics/scrape')
    return reply.type(metricsContentType).send(await scrape(options.service))
  })
  const { clock } = options
  if (clock) {
    app.put('/clock', async (request, reply) => {
      const parsed = offset.safeParse(request.body)
      if (!parsed.success) return reply.code(422).send({ error: 'send {"offset_ms": whole milliseconds}' })
      clock.setOffsetMs(parsed.data.offset_ms)
      return { now: clock.now().toISOString() }
    })
  }
  await app.listen({ host: options.host, port: options.port })
  return {
    setReady: (value: boolean) => {
      ready = value
    },
    close: () => app.close(),
  }
}

async function failingChecks(checks: ReturnType<HealthOptions['checks']>): Promise<string[]> {
  const names = Object.keys(checks)
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
  return names.filter((_name, index) => results[index]?.status === 'rejected')
}
