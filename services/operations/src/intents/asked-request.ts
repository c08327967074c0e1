/**
 * The request that a client names in an intent, put into the form by which the request itself will be hashed when it
 * comes: the action's method, the concrete path, and the body as sent.
 */

import { concretePath } from '@financial-agents/contract/canonical-request'
import { type Field, Problem } from '@financial-agents/contract/problem'
import type { ConfirmedAction } from './confirmed-actions.ts'

type Named = { path: string; body?: Record<string, unknown> | undefined }

export type AskedRequest = {
  method: string
  /** Concrete. */
  path: string
  params: Record<string, string>
  body: unknown
}

/** @throws Problem validation_failed that names what is not a request of the action */
export function readAskedRequest(action: ConfirmedAction, { path, body }: Named): AskedRequest {
  const params = matchPath(action.path, path)
  const fields: Field[] = []
  if (params === undefined) fields.push({ path: 'request.path', message: `Send the path ${action.path}.` })
  if (action.hasBody && body === undefined)
    fields.push({ path: 'request.body', message: 'Send the body of the request.' })
  if (!action.hasBody && body !== undefined)
    fields.push({ path: 'request.body', message: 'The request has no body: leave it out.' })
  const [first] = fields
  if (params === undefined || first !== undefined)
    throw new Problem('validation_failed', { detail: `${first?.path}: ${first?.message}`, fields })
  return { method: action.method, path: concretePath(action.path, params), params, body }
}

/** The parameters of a path as the gateway's router reads them; undefined where it is not of this template. */
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
