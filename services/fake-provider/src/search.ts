/**
 * `GET` of a collection by the application's reference, by the provider's own, or by both. The result has all records
 * that match either reference, so that a double submission is visible. Objects that actions change are also found by an
 * action's references.
 */

import { resourceSearch } from '@financial-agents/provider-http/api/records'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Connection } from './connections.ts'
import { answerQuietly, Refused } from './quiet-call.ts'
import type { RecordOf, Shelf, ShownRecord } from './records.ts'
import type { Done } from './stateful.ts'
import type { World } from './world.ts'

const Search = resourceSearch.refine((asked) => Object.values(asked).some((value) => value !== undefined))

export type Search = z.infer<typeof Search>

export function addSearch(
  app: FastifyInstance,
  world: World,
  path: string,
  find: (connection: Connection, search: Search) => readonly object[],
): void {
  app.get(path, (request, reply) => {
    const search = Search.safeParse(request.query)
    const asked = search.data?.client_reference ?? search.data?.action_client_reference ?? null
    return answerQuietly(world, { kind: 'search', clientReference: asked, request, reply }, (connection) => {
      if (!search.success) throw new Refused(400, 'invalid_request')
      return { data: find(connection, search.data), has_more: false, ...world.deadlines.asOf() }
    })
  })
}

/** Finds the actions with either reference. */
export function findActions<On, Action extends string>(
  actions: Shelf<Done<On, Action>>,
  testUser: string,
  { action_client_reference, action_reference }: Pick<Search, 'action_client_reference' | 'action_reference'>,
): readonly RecordOf<Done<On, Action>>[] {
  return actions.find(testUser, { clientReference: action_client_reference, providerRef: action_reference })
}

/** Finds objects that match a search, each with its matching actions. */
export function findWithActions<Content, Action extends string>(
  shelf: Shelf<Content>,
  actions: Shelf<Done<RecordOf<Content>, Action>>,
  testUser: string,
  { client_reference, reference, ...ofAction }: Search,
): readonly { readonly kept: RecordOf<Content>; readonly actions: readonly ShownAction[] }[] {
  const done = findActions(actions, testUser, ofAction)
  const named = shelf.find(testUser, { clientReference: client_reference, providerRef: reference })
  const found = new Set([...named, ...done.map(({ content }) => content.on)])
  return [...found].map((kept) => ({
    kept,
    actions: done.filter(({ content }) => content.on === kept).map((action) => shownAction(action)),
  }))
}

export type ShownAction = ShownRecord & { readonly action: string }

export function shownAction(kept: RecordOf<{ readonly action: string }>): ShownAction {
  return { ...kept.show(), action: kept.content.action }
}
