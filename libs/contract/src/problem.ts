/**
 * A refusal. Thrown anywhere, carried over the bus as plain data, rendered once, at the gateway.
 * `detail` and `fields` are public; `cause` goes to the log alone.
 */

import type { z } from 'zod'
import { type ProblemCode, problemCatalogue } from './problem-catalogue.ts'

/** One refused member: `path` is dot-delimited from the body, or the name of a header or query parameter. */
export type Field = { message: string; path: string }

/** What crosses the bus. */
export type ProblemData = {
  code: ProblemCode
  detail: string
  fields: Field[] | null
  /** The owner's onboarding changed (KYC, connection): shown on the four routes that carry the member. */
  refresh_onboarding?: true
  /** Whole seconds, for 429. */
  retry_after?: number
  /** What the challenge of an `insufficient_scope` names, where it is not what the route's row says. */
  scope?: string
}

/** The ten members of an error body (contract, "Errors"), and the one that four routes add. */
export type ProblemBody = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: ProblemCode
  fields: Field[] | null
  request_id: string
  retryable: boolean
  submission_uncertain: boolean
  refresh_onboarding?: boolean
}

type Details = {
  detail?: string
  fields?: Field[]
  refreshOnboarding?: true
  retryAfterS?: number
  scope?: string
  cause?: unknown
}

/** A refusal; `detail` is public, the cause only for the log. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly data: ProblemData

  /** @param code a code of the catalogue; `details.detail` replaces the catalogue's description. */
  constructor(code: ProblemCode, details: Details = {}) {
    super(code, { cause: details.cause })
    this.code = code
    this.data = {
      code,
      detail: details.detail ?? problemCatalogue[code].description,
      fields: details.fields && details.fields.length > 0 ? details.fields : null,
    }
    if (details.refreshOnboarding) this.data.refresh_onboarding = true
    if (details.retryAfterS !== undefined) this.data.retry_after = details.retryAfterS
    if (details.scope !== undefined) this.data.scope = details.scope
  }

  /** The problem that arrived over the bus, to be thrown on. */
  static from(data: ProblemData): Problem {
    const problem = new Problem(data.code)
    Object.assign(problem.data, data)
    return problem
  }
}

type Where = { baseUrl: string; instance: string; requestId: string; refreshOnboarding: boolean }

/** The body of an error response. Source: contract, "Errors". */
export function renderProblem(data: ProblemData, where: Where): ProblemBody {
  const entry = problemCatalogue[data.code]
  return {
    type: `${where.baseUrl}/problems/${data.code}`,
    title: entry.title,
    status: entry.status,
    detail: data.detail,
    instance: where.instance,
    code: data.code,
    fields: data.fields,
    request_id: where.requestId,
    retryable: entry.retryable,
    submission_uncertain: entry.submission_uncertain,
    ...(where.refreshOnboarding ? { refresh_onboarding: data.refresh_onboarding === true } : {}),
  }
}

const maxFields = 32

/** `validation_failed` that names every member zod refused; `root` is the path of the value itself. */
export function validationProblem(error: z.ZodError, root: string): Problem {
  const fields: Field[] = []
  for (const issue of error.issues) {
    const at = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        fields.push({ path: [...at, key].join('.') || root, message: 'Unknown member: remove it.' })
    } else {
      fields.push({ path: at.join('.') || root, message: issue.message || 'Not valid.' })
    }
  }
  return fieldsProblem(fields)
}

/** `validation_failed` that names these members; a service's own judgement of what a schema cannot. */
export function fieldsProblem(fields: readonly Field[]): Problem {
  return new Problem('validation_failed', { detail: describe(fields), fields: fields.slice(0, maxFields) })
}

function describe(fields: readonly Field[]): string {
  const [first] = fields
  if (!first) return problemCatalogue.validation_failed.description
  const others = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return `${first.path.slice(0, 200)}: ${first.message}${others}`
}
