/**
 * Searches by any id that an operator was given: of an operation, grant, client, resource or mandate, a subject, a
 * trace, or a reference of the provider. A single match, certain or not, is opened at once. Several matches are listed.
 */

import { ApiRefusal } from '../api/api-client.ts'
import type { ConsolePage, PageRequest } from '../http/console-page.ts'
import { grantPath, grantsPath, operationPath, operationsPath } from './links.ts'
import { type Match, searchView } from './views/search.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const trace = /^(?:00-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i

export const searchPage: ConsolePage = {
  method: 'GET',
  path: '/ops/search',
  scope: 'ops:read',
  answer: async (request) => {
    const asked = (request.query['q'] ?? '').trim()
    if (asked.length > 200) return { view: searchView({ asked: asked.slice(0, 200), matches: [], isTooLong: true }) }
    const matches = asked === '' ? [] : await find(request, asked)
    const [one, ...others] = matches
    if (one && others.length === 0) return { redirectTo: one.path }
    return { view: searchView({ asked, matches, logs: asked === '' ? null : request.links.logs({ id: asked }) }) }
  },
}

async function find({ api }: PageRequest, asked: string): Promise<Match[]> {
  const operations = async (word: string, query: Record<string, string>): Promise<Match[]> => {
    const { items, next_cursor } = await orNothing(api.listOperations({ ...query, limit: '1' }))
    // Nothing was found, and no older operations are left. If some are left, the list is an uncertain match: the
    // operator can search further there.
    if (items.length === 0 && next_cursor === null) return []
    return [{ word, path: operationsPath(query), isCertain: items.length > 0 }]
  }
  const grants = async (query: Record<string, string>, matches: Match[]): Promise<Match[]> =>
    (await orNothing(api.listGrants({ ...query, limit: '1' }))).items.length === 0 ? [] : matches
  const traceId = trace.exec(asked)?.[1]?.toLowerCase()
  const lists = uuid.test(asked)
    ? [
        api.getOperation(asked).then(
          () => [{ word: 'Operation', path: operationPath(asked), isCertain: true }],
          (error: unknown) => none(error),
        ),
        grants({ grant_id: asked }, [{ word: 'Grant', path: grantPath(asked), isCertain: true }]),
        operations('Operations that concern this resource', { resource_id: asked }),
        operations('Operations under this mandate', { mandate_id: asked }),
      ]
    : [
        grants({ client_id: asked }, [
          { word: 'Operations of this client', path: operationsPath({ client_id: asked }), isCertain: true },
          { word: 'Grants of this client', path: grantsPath({ client_id: asked }), isCertain: true },
        ]),
        grants({ subject: asked }, [
          {
            word: 'Grants of this owner, as one client knows the owner',
            path: grantsPath({ subject: asked }),
            isCertain: true,
          },
        ]),
        grants({ owner: asked }, [
          {
            word: 'Operations of this person, by all clients',
            path: operationsPath({ owner: asked }),
            isCertain: true,
          },
          { word: 'Grants of this person, to all clients', path: grantsPath({ owner: asked }), isCertain: true },
        ]),
        operations('Operations with this reference of the provider', { upstream_reference: asked }),
      ]
  if (traceId !== undefined) lists.push(operations('Operations of this trace', { trace_id: traceId }))
  const matches = (await Promise.all(lists)).flat()
  const certain = matches.filter(({ isCertain }) => isCertain)
  return certain.length === 1 && certain[0]?.word === 'Operation' ? certain : matches
}

/** The API refuses an id that does not have the form of a filter. Such a refusal counts as an empty list. */
async function orNothing<Answer extends { next_cursor: string | null; items: readonly unknown[] }>(
  asking: Promise<Answer>,
): Promise<Answer | { items: never[]; next_cursor: null }> {
  return asking.catch((error: unknown) => {
    none(error)
    return { items: [], next_cursor: null }
  })
}

function none(error: unknown): never[] {
  const isNone =
    error instanceof ApiRefusal && (error.problem.status === 404 || error.problem.code === 'validation_failed')
  if (!isNone) throw error
  return []
}
