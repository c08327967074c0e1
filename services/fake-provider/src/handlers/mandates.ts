/** `POST /provider/v1/mandates`, `…/{reference}/suspend` and `…/{reference}/revoke`, `GET /provider/v1/mandates`. */

import { mandateTerms } from '@financial-agents/provider-http/api/instructions'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import { digestOf } from '../approvals.ts'
import { keepMandate, mandateNeedsApproval, mandateState, validateMandate } from '../mandates.ts'
import { receiveMutation } from '../mutation.ts'
import { NoTerms, readerOf } from '../read-instruction.ts'
import type { RecordOf } from '../records.ts'
import { type Mandate, type MandateAction, type MandateTerms } from '../resources.ts'
import { addSearch, findWithActions } from '../search.ts'
import type { World } from '../world.ts'

const kinds: { readonly [A in MandateAction]: string } = { suspend: 'mandate_suspend', revoke: 'mandate_revoke' }

export function addMandates(app: FastifyInstance, world: World): void {
  app.post(pathPattern('createMandate'), (request, reply) =>
    receiveMutation<MandateTerms>(
      world,
      {
        kind: 'mandate_create',
        read: readerOf(mandateTerms),
        validate: ({ connection: { testUser }, clientReference, content }) => {
          const covered = world.approvals.covers(testUser.id, clientReference, digestOf(content))
          if (mandateNeedsApproval(testUser) && !covered) return 'approval_required'
          return validateMandate(world, testUser, content)
        },
        keep: (record, { content }) => keepMandate(world, record, content),
      },
      request,
      reply,
    ),
  )

  for (const action of ['suspend', 'revoke'] as const) {
    app.post<{ Params: { reference: string } }>(pathPattern(`${action}Mandate`), (request, reply) => {
      const find = (testUser: string) => world.mandates.find(testUser, { providerRef: request.params.reference })[0]
      return receiveMutation<object>(
        world,
        {
          kind: kinds[action],
          read: readerOf(NoTerms),
          validate: ({ connection }) => validateAction(world, find(connection.testUser.id), action),
          keep(record, { connection }) {
            const mandate = find(connection.testUser.id)
            if (mandate === undefined) throw new Error('an action was kept unchecked')
            const kept = world.mandateActions.add({ ...record, content: { action, on: mandate } })
            mandate.content.standing.act(action, kept)
            return kept
          },
        },
        request,
        reply,
      )
    })
  }

  addSearch(app, world, pathPattern('findMandates'), ({ testUser }, search) =>
    findWithActions(world.mandates, world.mandateActions, testUser.id, search).map(({ kept, actions }) => ({
      ...kept.show(),
      state: mandateState(world, kept.content),
      actions,
    })),
  )
}

function validateAction(
  world: World,
  mandate: RecordOf<Mandate> | undefined,
  action: MandateAction,
): string | undefined {
  if (mandate === undefined) return 'unknown_mandate'
  return mandate.content.standing.allows(action) ? undefined : `mandate_${mandateState(world, mandate.content)}`
}
