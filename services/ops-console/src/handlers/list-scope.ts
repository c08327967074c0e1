/** The scope of a list's cursors. The audit records the same query. */

import type { CursorScope } from '@financial-agents/contract/cursor'

/** Operators see the data of all owners, so a cursor is valid for every operator and for nobody else. */
export function listScope(list: string, query: Readonly<Record<string, unknown>>): CursorScope {
  return { list, ownerId: 'operators', query: withoutAbsent(query) }
}

type Present<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> }

/** Returns the members that are not undefined. */
export function withoutAbsent<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): Partial<Present<Members>> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Partial<Present<Members>>
}
