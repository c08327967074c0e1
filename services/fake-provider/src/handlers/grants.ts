/** `POST /provider/v1/grants`, `…/{ref}/pause` and `…/{ref}/withdraw`, `GET /provider/v1/grants`: transfer grants. */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { grantTerms } from '@financial-agents/provider-api/shapes/instructions'
import type { FastifyInstance } from 'fastify'
import { digestOf } from '../approvals.ts'
import {
  type Grant,
  type GrantAction,
  type GrantTerms,
  grantNeedsApproval,
  grantState,
  judgeGrant,
  keepGrant,
} from '../grants.ts'
import { receiveMutation } from '../mutation.ts'
import { NoTerms, readerOf } from '../read-instruction.ts'
import type { Kept } from '../records.ts'
import { addSearch, findWithActions } from '../search.ts'
import type { World } from '../world.ts'

const kinds: { readonly [A in GrantAction]: string } = { pause: 'mandate_suspend', withdraw: 'mandate_revoke' }

export function addGrants(app: FastifyInstance, world: World): void {
  app.post(pathPattern('createGrant'), (request, reply) =>
    receiveMutation<GrantTerms>(
      world,
      {
        kind: 'mandate_create',
        read: readerOf(grantTerms),
        judge: ({ connection: { persona }, clientReference, content }) => {
          const covered = world.approvals.covers(persona.id, clientReference, digestOf(content))
          if (grantNeedsApproval(persona) && !covered) return 'approval_missing'
          return judgeGrant(world, persona, content)
        },
        keep: (record, { content }) => keepGrant(world, record, content),
      },
      request,
      reply,
    ),
  )

  for (const action of ['pause', 'withdraw'] as const) {
    app.post<{ Params: { ref: string } }>(pathPattern(`${action}Grant`), (request, reply) => {
      const find = (persona: string) => world.grants.find(persona, { providerRef: request.params.ref })[0]
      return receiveMutation<object>(
        world,
        {
          kind: kinds[action],
          read: readerOf(NoTerms),
          judge: ({ connection }) => judgeAction(world, find(connection.persona.id), action),
          keep(record, { connection }) {
            const grant = find(connection.persona.id)
            if (grant === undefined) throw new Error('an action was kept unjudged')
            const kept = world.grantActions.add({ ...record, content: { action, on: grant } })
            grant.content.standing.act(action, kept)
            return kept
          },
        },
        request,
        reply,
      )
    })
  }

  addSearch(app, world, pathPattern('findGrants'), ({ persona }, search) =>
    findWithActions(world.grants, world.grantActions, persona.id, search).map(({ kept, actions }) => ({
      ...kept.show(),
      state: grantState(world, kept.content),
      actions,
    })),
  )
}

function judgeAction(world: World, grant: Kept<Grant> | undefined, action: GrantAction): string | undefined {
  if (grant === undefined) return 'unknown_grant'
  return grant.content.standing.allows(action) ? undefined : `grant_${grantState(world, grant.content)}`
}
