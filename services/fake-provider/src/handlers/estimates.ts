/**
 * `POST /provider/v1/transfer-estimates` and `POST /provider/v1/purchase-estimates`: the expected cost of a transfer or a
 * purchase. Both are reads, with a body because it may name a person. A refused estimate names the member that does not
 * fit.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { newPurchaseEstimate, newTransferEstimate } from '@financial-agents/provider-api/shapes/quotes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ReceivedBody } from '../mutation.ts'
import { estimatePurchase } from '../purchases.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { TestUser } from '../test-users.ts'
import { estimateTransfer } from '../transfer-estimates.ts'
import type { World } from '../world.ts'

export function addEstimates(app: FastifyInstance, world: World): void {
  const answer = <Terms extends z.ZodType>(
    kind: string,
    shape: Terms,
    estimate: (testUser: TestUser, terms: z.infer<Terms>) => object,
  ) => {
    return (request: FastifyRequest, reply: FastifyReply) =>
      answerQuietly(world, { kind, clientReference: null, request, reply, reads: true }, ({ testUser }) => {
        const parsed = shape.safeParse((request.body as ReceivedBody | undefined)?.value)
        if (!parsed.success) throw new Refused(400, 'invalid_request')
        return estimate(testUser, parsed.data)
      })
  }

  app.post(
    pathPattern('estimateTransfer'),
    answer('transfer_quote', newTransferEstimate, (testUser, terms) => estimateTransfer(world, testUser, terms)),
  )
  app.post(
    pathPattern('estimatePurchase'),
    answer('purchase_quote', newPurchaseEstimate, (testUser, wanted) =>
      estimatePurchase(testUser, wanted, world.clock.nowMs()),
    ),
  )
}
