/**
 * `POST /provider/v1/transfers` (direct), `POST /provider/v1/grants/{ref}/transfers` (under a grant) and `GET
 * /provider/v1/transfers` (both): payments from a persona's purse. Transfers over a slow network settle later by
 * themselves.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { transferTerms, underGrantTerms } from '@financial-agents/provider-api/shapes/instructions'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { digestOf } from '../approvals.ts'
import { countUse, judgeUse } from '../grants.ts'
import { settlesAfterMs } from '../limits.ts'
import { receiveMutation } from '../mutation.ts'
import { findPayee } from '../payees.ts'
import { readerOf } from '../read-instruction.ts'
import { addSearch } from '../search.ts'
import { judgePayment, judgeTransfer, type TransferTerms, transferNeedsApproval } from '../transfers.ts'
import type { World } from '../world.ts'

export function addTransfers(app: FastifyInstance, world: World): void {
  const payeeOf = (persona: string, ref: string) => {
    const payee = findPayee(world, persona, ref)
    if (payee === undefined) throw new Error('a transfer was kept unjudged')
    return payee
  }

  app.post(pathPattern('createTransfer'), (request, reply) =>
    receiveMutation<TransferTerms>(
      world,
      {
        kind: 'transfer',
        read: readerOf(transferTerms),
        judge({ connection: { persona }, clientReference, content }) {
          const covered = world.approvals.covers(persona.id, clientReference, digestOf(content))
          if (transferNeedsApproval(persona, content.amount) && !covered) return 'approval_missing'
          return judgeTransfer(world, persona, content)
        },
        keep(record, { connection: { persona }, content: { payee_ref, amount, note } }) {
          world.purses.take(persona, amount)
          const payee = payeeOf(persona.id, payee_ref)
          return world.transfers.add({ ...record, content: { persona, payee, amount, note, grant: undefined } })
        },
        settlesAfterMs: ({ connection, content }) =>
          settlesAfterMs(payeeOf(connection.persona.id, content.payee_ref).content.scheme),
      },
      request,
      reply,
    ),
  )

  addUnderGrant(app, world)

  addSearch(app, world, pathPattern('findTransfers'), ({ persona }, { client_reference, provider_ref }) =>
    world.transfers
      .find(persona.id, { clientReference: client_reference, providerRef: provider_ref })
      .map((kept) => kept.show()),
  )
}

function addUnderGrant(app: FastifyInstance, world: World): void {
  app.post<{ Params: { ref: string } }>(pathPattern('payUnderGrant'), (request, reply) => {
    const find = (persona: string) => world.grants.find(persona, { providerRef: request.params.ref })[0]
    const get = (persona: string) => {
      const grant = find(persona)
      if (grant === undefined) throw new Error('a transfer was kept unjudged')
      return grant
    }
    return receiveMutation<z.infer<typeof underGrantTerms>>(
      world,
      {
        kind: 'mandate_transfer',
        read: readerOf(underGrantTerms),
        judge({ connection: { persona }, content: { amount, note } }) {
          const grant = find(persona.id)
          if (grant === undefined) return 'unknown_grant'
          const payee = grant.content.payee.content
          return judgeUse(world, grant.content, amount) ?? judgePayment(world, persona, payee, amount, note)
        },
        keep(record, { connection: { persona }, content: { amount, note } }) {
          const grant = get(persona.id)
          countUse(grant.content, amount, 1)
          world.purses.take(persona, amount)
          return world.transfers.add({
            ...record,
            content: { persona, payee: grant.content.payee, amount, note, grant },
          })
        },
        settlesAfterMs: ({ connection }) => settlesAfterMs(get(connection.persona.id).content.payee.content.scheme),
      },
      request,
      reply,
    )
  })
}
