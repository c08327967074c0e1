/**
 * Reads the request that a client names in an intent. The hash covers the action's method, the concrete path and the
 * body as sent, exactly as the gateway will hash the request itself. The route's template and schema decide if the path
 * and the body are valid.
 */

import { concretePath } from '@financial-agents/contract/canonical-request'
import { type Field, fieldsProblem, validationProblem } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import { z } from 'zod'

type Named = { path: string; body?: Record<string, unknown> | undefined }

export type AskedRequest = {
  method: string
  /** The concrete path. */
  path: string
  params: Record<string, string>
  /** The body as sent. */
  body: unknown
  parsedBody: Record<string, unknown> | undefined
}

/**
 * @throws Problem validation_failed if the path or body is not a request of the action; it names the member of
 * `request`
 */
export function readAskedRequest(route: Route, { path, body }: Named): AskedRequest {
  const params = matchPath(route.path, path)
  const fields: Field[] = []
  if (params === undefined) fields.push({ path: 'request.path', message: `Send the path ${route.path}.` })
  if (route.body && body === undefined) fields.push({ path: 'request.body', message: 'Send the body of the request.' })
  if (!route.body && body !== undefined)
    fields.push({ path: 'request.body', message: 'The request has no body: leave it out.' })
  if (params === undefined || fields.length > 0) throw fieldsProblem(fields)
  const parsedBody = route.body ? parseBody(route.body, body) : undefined
  return { method: route.method, path: concretePath(route.path, params), params, body, parsedBody }
}

/** Parses the body at its place in the intent, so that an error names the full path of the member. */
function parseBody(schema: z.ZodObject, body: unknown): Record<string, unknown> {
  const parsed = z.object({ request: z.object({ body: schema }) }).safeParse({ request: { body } })
  if (!parsed.success) throw validationProblem(parsed.error, 'request.body')
  return parsed.data.request.body
}

/**
 * Reads the parameters of a path as the gateway's router does. Returns undefined if the path does not match the
 * template.
 */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const text = decode(given[index] as string)
    if (text === undefined) return undefined
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? text !== segment : text === '') return undefined
    if (name !== undefined) params[name] = text
  }
  return params
}

function decode(segment: string): string | undefined {
  if (/[?#]/.test(segment)) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
