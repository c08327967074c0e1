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
  keepGrant,
  validateGrant,
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
        validate: ({ connection: { testUser }, clientReference, content }) => {
          const covered = world.approvals.covers(testUser.id, clientReference, digestOf(content))
          if (grantNeedsApproval(testUser) && !covered) return 'approval_missing'
          return validateGrant(world, testUser, content)
        },
        keep: (record, { content }) => keepGrant(world, record, content),
      },
      request,
      reply,
    ),
  )

  for (const action of ['pause', 'withdraw'] as const) {
    app.post<{ Params: { ref: string } }>(pathPattern(`${action}Grant`), (request, reply) => {
      const find = (testUser: string) => world.grants.find(testUser, { providerRef: request.params.ref })[0]
      return receiveMutation<object>(
        world,
        {
          kind: kinds[action],
          read: readerOf(NoTerms),
          validate: ({ connection }) => validateAction(world, find(connection.testUser.id), action),
          keep(record, { connection }) {
            const grant = find(connection.testUser.id)
            if (grant === undefined) throw new Error('an action was kept unvalidated')
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

  addSearch(app, world, pathPattern('findGrants'), ({ testUser }, search) =>
    findWithActions(world.grants, world.grantActions, testUser.id, search).map(({ kept, actions }) => ({
      ...kept.show(),
      state: grantState(world, kept.content),
      actions,
    })),
  )
}

function validateAction(world: World, grant: Kept<Grant> | undefined, action: GrantAction): string | undefined {
  if (grant === undefined) return 'unknown_grant'
  return grant.content.standing.allows(action) ? undefined : `grant_${grantState(world, grant.content)}`
}
