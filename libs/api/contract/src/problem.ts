/**
 * A refusal. Any code may throw it. It crosses the bus as plain data, and the gateway renders it. `detail` and `fields`
 * are public; `cause` is only logged.
 */

import type { z } from 'zod'
import { type ProblemCode, problemCatalogue } from './problem-catalogue.ts'

/** One refused member. `path` is a dot-delimited path in the body, or the name of a header or query parameter. */
export type Field = { message: string; path: string }

/** The form in which a problem crosses the bus. */
export type ProblemData = {
  code: ProblemCode
  detail: string
  fields: Field[] | null
  /** True if the owner's onboarding changed (KYC, connection). The four routes with this member show it. */
  refresh_onboarding?: true
  /** Whole seconds, for status 429. */
  retry_after?: number
  /** The scope in the challenge of an `insufficient_scope`, if it differs from the row's scope. */
  scope?: string
}

/** The ten members of an error body (contract, "Errors"), and one that only four routes have. */
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

/** A refusal; `detail` is public, `cause` is only logged. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly data: ProblemData

  /** @param code a code of the catalogue; `details.detail` replaces the catalogue's description */
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

  /** Restores a problem that arrived over the bus, so that it can be thrown again. */
  static from(data: ProblemData): Problem {
    const problem = new Problem(data.code)
    Object.assign(problem.data, data)
    return problem
  }
}

type Where = { baseUrl: string; instance: string; requestId: string; refreshOnboarding: boolean }

/** Renders the body of an error response. Source: contract, "Errors". */
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

/** Creates `validation_failed` with every member that zod refused. `root` is the path of the value itself. */
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

/** Creates `validation_failed` with these members, for checks that a schema cannot express. */
export function fieldsProblem(all: readonly Field[]): Problem {
  // A member that breaks several rules is named once, with the first of them.
  const fields = all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index)
  return new Problem('validation_failed', { detail: describe(fields), fields: fields.slice(0, maxFields) })
}

function describe(fields: readonly Field[]): string {
  const [first] = fields
  if (!first) return problemCatalogue.validation_failed.description
  const others = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return `${first.path.slice(0, 200)}: ${first.message}${others}`
}
