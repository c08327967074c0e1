/** `GET` and `PUT /control/clock`: the provider's time, for settlement. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControlBody } from '../read-control-body.ts'
import type { World } from '../world.ts'

const ClockRequest = z.strictObject({ offset_ms: z.int().min(-1e12).max(1e12) })

export function addControlClock(app: FastifyInstance, { clock }: World): void {
  app.get('/control/clock', async () => ({ now: clock.now().toISOString() }))
  app.put('/control/clock', async (request) => {
    clock.setOffsetMs(readControlBody(ClockRequest, request).offset_ms)
    return { now: clock.now().toISOString() }
  })
}
