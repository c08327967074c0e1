/** `POST`, `GET` and `DELETE /control/faults`: the scripts that apply to the next calls. */

import type { FastifyInstance } from 'fastify'
import { FaultRequest } from '../faults.ts'
import { readControlBody } from '../read-control-body.ts'
import type { World } from '../world.ts'

export function addControlFaults(app: FastifyInstance, { faults }: World): void {
  app.post('/control/faults', async (request, reply) =>
    reply.code(201).send(faults.add(readControlBody(FaultRequest, request))),
  )
  app.get('/control/faults', async () => ({ faults: faults.list() }))
  app.delete('/control/faults', async (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
}
