/**
 * `PUT /control/deadlines`: makes the promise about deadlines, or takes it away. `POST /control/release`: lets the mutations
 * go on that the script `hold` keeps.
 */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControlBody } from '../read-control-body.ts'
import type { World } from '../world.ts'

const Promised = z.strictObject({ refuses: z.boolean() })
const Release = z.strictObject({ client_reference: z.string() })

export function addControlDeadlines(app: FastifyInstance, { deadlines, held }: World): void {
  app.put('/control/deadlines', async (request) => {
    const { refuses } = readControlBody(Promised, request)
    deadlines.promise(refuses)
    return { refuses }
  })
  app.post('/control/release', async (request) => ({
    released: held.release(readControlBody(Release, request).client_reference),
  }))
}
