/**
 * The sandbox calls of the Provider API: the description that the conformance kit reads, and the faults, settlements
 * and decisions that it orders.
 */

import { randomUUID } from 'node:crypto'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import {
  newSandboxConnection,
  newSandboxDecision,
  newSandboxFault,
  newSandboxSettlement,
  type SandboxFault,
  type sandbox,
  sandboxFaults,
} from '@financial-agents/provider-http/api/sandbox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { FaultRequest } from '../faults.ts'
import type { ReceivedBody } from '../mutation.ts'
import { refusal } from '../refusal.ts'
import type { World } from '../world.ts'

const amara = 'test-user-amara-okafor-leeds'
const ines = 'test-user-ines-carvalho-lisboa'
const tomasz = 'test-user-tomasz-zielinski-gdansk'

const description: z.input<typeof sandbox> = {
  faults: [...sandboxFaults],
  payout_schema_id: 'sepa_de_eur',
  payment: { amount: '12.50', currency: 'EUR' },
  approved_payment: { amount: '0.05', currency: 'EUR' },
  card: { type: 'virtual', currency: 'EUR' },
  reads: {
    fiatPrices: { currency: 'EUR' },
    purchaseQuote: {
      service_reference: 'srv_books',
      product_id: 'books-20-eur',
      quantity: 2,
      recipient: 'someone@example.com',
    },
    transferQuote: { source_currency: 'EUR', target_currency: 'GBP', amount: '120.50', fixed_side: 'source' },
    withdrawalLimits: { schema: 'swift_us_usd' },
  },
  reader: { credentials: ines, card_reference: 'crd_ines_0' },
  other_reader: { credentials: amara },
}

const scripts: { readonly [F in SandboxFault]: object } = {
  refuse: { script: 'refuse' },
  reject: { script: 'fail' },
  settle_later: { script: 'settle_later' },
  two_records: { script: 'contradict', options: { contradiction: 'two_records' } },
  reopened: { script: 'contradict', options: { contradiction: 'reopened' } },
  expire_approval: { script: 'expire' },
}

const decisions = { approve: 'granted', decline: 'declined' } as const

export function addSandbox(app: FastifyInstance, world: World): void {
  app.get(pathPattern('readSandbox'), async () => description)

  // Each text after a `~` makes a separate connection.
  app.post(pathPattern('createSandboxConnection'), async (request) => {
    const { approves } = bodyOf(newSandboxConnection, request)
    return { credentials: `${approves ? tomasz : amara}~${randomUUID()}` }
  })

  app.post(pathPattern('orderSandboxFault'), async (request) => {
    const { client_reference, fault } = bodyOf(newSandboxFault, request)
    const kind = fault === 'expire_approval' ? { kind: 'approval' } : {}
    world.faults.add(FaultRequest.parse({ ...scripts[fault], match: { client_reference, ...kind }, times: 1 }))
    return {}
  })

  app.post(pathPattern('settleInSandbox'), async (request) => {
    const { client_reference, as } = bodyOf(newSandboxSettlement, request)
    world.records.settle({ clientReference: client_reference, as, reason: 'account_closed' })
    return {}
  })

  app.post(pathPattern('decideInSandbox'), async (request, reply) => {
    const { hosted_url, decision } = bodyOf(newSandboxDecision, request)
    const found = world.approvals.findByToken(new URL(hosted_url).pathname.split('/').at(-1) ?? '')
    if (found === undefined || !world.approvals.decide(found, decisions[decision]))
      return refusal(reply, 404, 'unknown_approval')
    return {}
  })
}

/** Parses the body. The server answers a body of another shape with 400. */
function bodyOf<Body extends z.ZodType>(shape: Body, request: FastifyRequest): z.infer<Body> {
  return shape.parse((request.body as ReceivedBody | undefined)?.value)
}
