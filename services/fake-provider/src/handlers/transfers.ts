/**
 * `POST /provider/v1/transfers` (direct), `POST /provider/v1/grants/{ref}/transfers` (under a grant) and `GET
 * /provider/v1/transfers` (both): payments from a test user's purse. Transfers over a slow network settle later by
 * themselves.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { transferTerms, underGrantTerms } from '@financial-agents/provider-api/shapes/instructions'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { digestOf } from '../approvals.ts'
import { countUse, validateUse } from '../grants.ts'
import { settlesAfterMs } from '../limits.ts'
import { receiveMutation } from '../mutation.ts'
import { findPayee } from '../payees.ts'
import { readerOf } from '../read-instruction.ts'
import { addSearch } from '../search.ts'
import { type TransferTerms, transferNeedsApproval, validatePayment, validateTransfer } from '../transfers.ts'
import type { World } from '../world.ts'

export function addTransfers(app: FastifyInstance, world: World): void {
  const payeeOf = (testUser: string, ref: string) => {
    const payee = findPayee(world, testUser, ref)
    if (payee === undefined) throw new Error('a transfer was kept unvalidated')
    return payee
  }

  app.post(pathPattern('createTransfer'), (request, reply) =>
    receiveMutation<TransferTerms>(
      world,
      {
        kind: 'transfer',
        read: readerOf(transferTerms),
        validate({ connection: { testUser }, clientReference, content }) {
          const covered = world.approvals.covers(testUser.id, clientReference, digestOf(content))
          if (transferNeedsApproval(testUser, content.amount) && !covered) return 'approval_missing'
          return validateTransfer(world, testUser, content)
        },
        keep(record, { connection: { testUser }, content: { payee_ref, amount, note } }) {
          world.purses.take(testUser, amount)
          const payee = payeeOf(testUser.id, payee_ref)
          return world.transfers.add({ ...record, content: { testUser, payee, amount, note, grant: undefined } })
        },
        settlesAfterMs: ({ connection, content }) =>
          settlesAfterMs(payeeOf(connection.testUser.id, content.payee_ref).content.scheme),
      },
      request,
      reply,
    ),
  )

  addUnderGrant(app, world)

  addSearch(app, world, pathPattern('findTransfers'), ({ testUser }, { client_reference, provider_ref }) =>
    world.transfers
      .find(testUser.id, { clientReference: client_reference, providerRef: provider_ref })
      .map((kept) => kept.show()),
  )
}

function addUnderGrant(app: FastifyInstance, world: World): void {
  app.post<{ Params: { ref: string } }>(pathPattern('payUnderGrant'), (request, reply) => {
    const find = (testUser: string) => world.grants.find(testUser, { providerRef: request.params.ref })[0]
    const get = (testUser: string) => {
      const grant = find(testUser)
      if (grant === undefined) throw new Error('a transfer was kept unvalidated')
      return grant
    }
    return receiveMutation<z.infer<typeof underGrantTerms>>(
      world,
      {
        kind: 'mandate_transfer',
        read: readerOf(underGrantTerms),
        validate({ connection: { testUser }, content: { amount, note } }) {
          const grant = find(testUser.id)
          if (grant === undefined) return 'unknown_grant'
          const payee = grant.content.payee.content
          return validateUse(world, grant.content, amount) ?? validatePayment(world, testUser, payee, amount, note)
        },
        keep(record, { connection: { testUser }, content: { amount, note } }) {
          const grant = get(testUser.id)
          countUse(grant.content, amount, 1)
          world.purses.take(testUser, amount)
          return world.transfers.add({
            ...record,
            content: { testUser, payee: grant.content.payee, amount, note, grant },
          })
        },
        settlesAfterMs: ({ connection }) => settlesAfterMs(get(connection.testUser.id).content.payee.content.scheme),
      },
      request,
      reply,
    )
  })
}
