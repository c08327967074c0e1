/**
 * Maps groups of the organisation's directory to scopes of operators, by configuration. A group that is not listed
 * gives no scope.
 */

import { type OperatorScope, operatorScopes } from '@financial-agents/contract/scopes'
import { z } from 'zod'

export type GroupScopes = ReadonlyMap<string, readonly OperatorScope[]>

const message = `must be group=scopes pairs such as viewers=ops:read;responders=ops:read ops:suspend, of the scopes ${Object.keys(operatorScopes).join(' ')}`

export const groupScopes = z.string().transform((value, issues): GroupScopes => {
  const pairs = value.split(';').map((pair): [string, OperatorScope[]] => {
    const [group = '', scopes = ''] = pair.split(/=(.*)/s)
    return [group.trim(), scopes.split(' ').filter(Boolean) as OperatorScope[]]
  })
  const wrong = pairs.some(
    ([group, scopes]) =>
      group === '' || scopes.length === 0 || scopes.some((scope) => !Object.hasOwn(operatorScopes, scope)),
  )
  if (wrong || new Set(pairs.map(([group]) => group)).size !== pairs.length)
    issues.addIssue({ code: 'custom', message })
  return new Map(pairs)
})

/** Returns the scopes of `groups`, which is the claim's value: a list, or one name. */
export function scopesOfGroups(map: GroupScopes, groups: unknown): OperatorScope[] {
  const named = [groups].flat().filter((group) => typeof group === 'string')
  return [...new Set(named.flatMap((group) => map.get(group) ?? []))].toSorted()
}
