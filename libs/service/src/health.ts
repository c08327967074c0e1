/**
 * The health listener, the only HTTP of a service other than the gateway. `/live` says that the process runs and asks
 * nobody; `/ready` asks the checks given; `/metrics` is what Prometheus scrapes. Development and tests may move the process's
 * clock with PUT /clock.
 */

import type { MovableClock } from '@financial-agents/runtime/clock'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'

/** Where health is told, and what is checked. */
export type HealthOptions = {
  /** The service's name, on every metric. */
  service: string
  host: string
  port: number
  /** Null where the clock may not be moved. */
  clock: MovableClock | null
  /** The parts to ask: each resolves when the part works and rejects when it does not. */
  checks: () => Readonly<Record<string, () => Promise<unknown>>>
}

const offset = z.strictObject({ offset_ms: z.number().int() })

/** Starts listening; not ready until `setReady`. */
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
