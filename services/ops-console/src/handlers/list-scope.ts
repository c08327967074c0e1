/** What the cursors of the operators' lists are bound to, which is what the audit keeps of a list too. */

import type { CursorScope } from '@financial-agents/contract/cursor'

/** Operators see what is everybody's: their cursors are good for all of them, and for nobody else. */
export function listScope(list: string, query: Readonly<Record<string, unknown>>): CursorScope {
  return { list, ownerId: 'operators', query: withoutAbsent(query) }
}

type Present<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> }

/** Without the members that are undefined. */
export function withoutAbsent<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): Partial<Present<Members>> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Partial<Present<Members>>
}
