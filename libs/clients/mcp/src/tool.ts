/** The shape of a tool, and the dependencies that every tool works with. */

import type { Agent, KnownScope, Store } from '@financial-agents/client'
import type { Answer, Next } from './answer.ts'
import type { Drafts } from './drafts.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Limits } from './limits.ts'
import type { OwnerDesk } from './owner-desk.ts'

/** The option that keeps a tool from being offered; undefined if it is offered. */
export function withheldBy({ readOnly, tools }: Limits, tool: Pick<Tool, 'name' | 'kind'>): string | undefined {
  if (readOnly && (tool.kind === 'draft' || tool.kind === 'write')) return '--read-only'
  return tools && !tools.includes(tool.name) ? '--tools' : undefined
}

/** The dependencies that every tool works with. */
export type Dependencies = {
  agent: Agent
  desk: OwnerDesk
  drafts: Drafts
  limits: Limits
  /** The client's store, below this server's own prefix. */
  store: Store
  now: () => number
  /** The longest time that a write waits for its outcome, in milliseconds. */
  waitMs: number
  /** The calls whose last answer was `unknown`. */
  unknown: Set<string>
}

/** One call of a tool. */
export type Call = {
  /** Ends the call. A request that was sent stays sent. */
  signal: AbortSignal
  /** The same call again. It is the next one if this call ends before its outcome is known. */
  readonly resume: Next
  /** The operation that this call follows. An error of a later read says nothing about it: it may have succeeded. */
  operationId?: string | undefined
}

/** A tool. Its arguments have been validated by `input` before `run`. */
export type Tool = {
  name: string
  title: string
  description: string
  /** The scopes that the tool needs. */
  scopes: readonly KnownScope[]
  /** `read` changes nothing, `sign_in` asks for access, `draft` changes this server's store alone, `write` changes what the owner has. */
  kind: 'read' | 'sign_in' | 'draft' | 'write'
  /** True if no other tool can undo the effect of this one. */
  destructive: boolean
  input: JsonSchema
  run(args: Record<string, unknown>, call: Call, dependencies: Dependencies): Promise<Answer>
}

const cursor: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 1_024,
  description: '`next_cursor` of the page before.',
}
const limit: JsonSchema = { type: 'integer', minimum: 1, maximum: 100, description: 'The most items of the answer.' }

/** The arguments of a list that has pages. */
export const pageArguments = { cursor, limit }

/** An identifier of the API. */
export function idOf(what: string): JsonSchema {
  return { type: 'string', format: 'uuid', description: what }
}
