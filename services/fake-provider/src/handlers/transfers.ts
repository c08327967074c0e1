/**
 * `POST /provider/v1/transfers` (direct), `POST /provider/v1/mandates/{reference}/transfers` (under a mandate) and `GET
 * /provider/v1/transfers` (both): payments from a test user's spending account. Transfers over a slow network settle later by
 * themselves.
 */

import { mandateTransferTerms, transferTerms } from '@financial-agents/provider-http/api/instructions'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { digestOf } from '../approvals.ts'
import { findBeneficiary } from '../beneficiaries.ts'
import { settlesAfterMs } from '../limits.ts'
import { validateUse } from '../mandates.ts'
import { receiveMutation } from '../mutation.ts'
import { readerOf } from '../read-instruction.ts'
import { countUse } from '../resources.ts'
import { addSearch } from '../search.ts'
import { type TransferTerms, transferNeedsApproval, validatePayment, validateTransfer } from '../transfers.ts'
import type { World } from '../world.ts'

export function addTransfers(app: FastifyInstance, world: World): void {
  const beneficiaryOf = (testUser: string, ref: string) => {
    const beneficiary = findBeneficiary(world, testUser, ref)
    if (beneficiary === undefined) throw new Error('a transfer was kept unchecked')
    return beneficiary
  }

  app.post(pathPattern('createTransfer'), (request, reply) =>
    receiveMutation<TransferTerms>(
      world,
      {
        kind: 'transfer',
        read: readerOf(transferTerms),
        validate({ connection: { testUser }, clientReference, content }) {
          const covered = world.approvals.covers(testUser.id, clientReference, digestOf(content))
          if (transferNeedsApproval(testUser, content) && !covered) return 'approval_required'
          return validateTransfer(world, testUser, content)
        },
        keep(record, { connection: { testUser }, content }) {
          const { beneficiary_reference, amount: value, currency, memo = null } = content
          const amount = { amount: value, currency }
          world.spendingAccounts.take(testUser, amount)
          const beneficiary = beneficiaryOf(testUser.id, beneficiary_reference)
          return world.transfers.add({
            ...record,
            content: { testUser, beneficiary, amount, memo, mandate: undefined },
          })
        },
        settlesAfterMs: ({ connection, content }) =>
          settlesAfterMs(beneficiaryOf(connection.testUser.id, content.beneficiary_reference).content.payoutSchema),
      },
      request,
      reply,
    ),
  )

  addMandateTransfer(app, world)

  addSearch(app, world, pathPattern('findTransfers'), ({ testUser }, { client_reference, reference }) =>
    world.transfers
      .find(testUser.id, { clientReference: client_reference, providerRef: reference })
      .map((kept) => kept.show()),
  )
}

function addMandateTransfer(app: FastifyInstance, world: World): void {
  app.post<{ Params: { reference: string } }>(pathPattern('createMandateTransfer'), (request, reply) => {
    const find = (testUser: string) => world.mandates.find(testUser, { providerRef: request.params.reference })[0]
    const get = (testUser: string) => {
      const mandate = find(testUser)
      if (mandate === undefined) throw new Error('a transfer was kept unchecked')
      return mandate
    }
    return receiveMutation<z.infer<typeof mandateTransferTerms>>(
      world,
      {
        kind: 'mandate_transfer',
        read: readerOf(mandateTransferTerms),
        validate({ connection: { testUser }, content }) {
          const mandate = find(testUser.id)
          if (mandate === undefined) return 'unknown_mandate'
          const beneficiary = mandate.content.beneficiary.content
          const { reference: memo = null } = content
          return (
            validateUse(world, mandate.content, content) ?? validatePayment(world, testUser, beneficiary, content, memo)
          )
        },
        keep(record, { connection: { testUser }, content: { amount: value, currency, reference: memo = null } }) {
          const amount = { amount: value, currency }
          const mandate = get(testUser.id)
          countUse(mandate.content, amount, 1)
          world.spendingAccounts.take(testUser, amount)
          return world.transfers.add({
            ...record,
            content: { testUser, beneficiary: mandate.content.beneficiary, amount, memo, mandate },
          })
        },
        settlesAfterMs: ({ connection }) =>
          settlesAfterMs(get(connection.testUser.id).content.beneficiary.content.payoutSchema),
      },
      request,
      reply,
    )
  })
}
