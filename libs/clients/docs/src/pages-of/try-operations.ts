/** The data of the page "Try it": the operations of customers' tokens, with the examples of the document. */

import { routePagePath, tryClientId, tryPath } from '@financial-agents/contract/documentation-paths'
import type { Route } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { scopeNames } from '@financial-agents/contract/scopes'
import type { TryData, TryOperation } from '../../try/operation.ts'
import { findCall, type Json, type Parameter, resolve } from './document.ts'

/** True if the page can send the request: with a token of a client, or without credentials. */
export function canBeTried({ audience, browserSession }: Route): boolean {
  return audience === 'customer' && !browserSession
}

export function tryData(): TryData {
  const table = Object.entries(routes as Record<string, Route>).filter(([, row]) => canBeTried(row))
  const operations = table.map(([name, row]) => operationOf(name as RouteName, row))
  return { clientId: tryClientId, path: tryPath, scopes: scopeNames, operations }
}

function operationOf(name: RouteName, row: Route): TryOperation {
  const { parameters, example } = findCall(row)
  return {
    name,
    area: row.area,
    method: row.method,
    path: row.path,
    summary: row.summary,
    page: routePagePath(name, row),
    isProtected: row.scope !== null,
    isKeyed: row.keyed,
    isConfirmed: row.confirmation !== null,
    parameters: parameters.flatMap((parameter) => {
      const { name, in: place, required = false, description } = parameter
      if (place !== 'path' && place !== 'query') return []
      return [{ name, in: place, required, description, values: valuesOf(parameter) }]
    }),
    body: example === undefined ? undefined : JSON.stringify(example, null, 2),
  }
}

function valuesOf({ schema }: Parameter): string[] {
  const whole: Json = schema['$ref'] === undefined ? schema : resolve(schema)
  const values = (whole['enum'] ?? whole['x-extensible-enum'] ?? []) as unknown[]
  return values.map(String)
}
