/** Examples of problem bodies, rendered by the gateway's renderer for a route that can answer the problem. */

import { type Field, Problem, type ProblemBody, renderProblem } from '../problem.ts'
import { type ProblemCode, problemCatalogue } from '../problem-catalogue.ts'
import { problemsOf } from '../problems-of.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'

const exampleId = '01980f3e-6a2b-7c41-9d55-0a4f1f6f2c11'
const requestId = 'order-7f3a9c21'
const fields: Field[] = [{ path: 'currency', message: 'Send three capital letters (ISO 4217).' }]

/**
 * An example body of the problem, for a route with or without `refresh_onboarding`. Undefined if no such route can
 * answer it.
 */
export function problemExample(baseUrl: string, code: ProblemCode, refreshOnboarding = false): ProblemBody | undefined {
  const rows = Object.values(routes as Record<string, Route>)
  const answering = rows.filter((row) => row.refreshOnboarding === refreshOnboarding && problemsOf(row).includes(code))
  const row = answering.find(({ method, scope }) => method === 'POST' && scope !== null) ?? answering[0]
  if (row === undefined) return undefined
  const problem = new Problem(code, {
    ...(code === 'validation_failed' ? { detail: `currency: ${fields[0]?.message}`, fields } : {}),
    ...(code === 'provider_connection_unavailable' ? { refreshOnboarding: true } : {}),
    ...(problemCatalogue[code].status === 429 ? { retryAfterS: 1 } : {}),
  })
  const instance = row.path.replaceAll(/\{\w+\}/g, exampleId)
  return renderProblem(problem.data, { baseUrl, instance, requestId, refreshOnboarding })
}
