/**
 * After a pushed request the authorization request carries `request_uri` and `client_id` and nothing else (contract, rule
 * 2). The library ignores what comes beside them; a client that believes it was heard would be wrong, so it is refused.
 */

const alone: ReadonlySet<string> = new Set(['client_id', 'request_uri'])

/** What is wrong with the query of an authorization request, if anything. */
export function judgeRequestUri(query: Readonly<Record<string, unknown>>): string | undefined {
  if (query['request_uri'] === undefined) return undefined
  const more = Object.keys(query).filter((name) => !alone.has(name))
  return more.length === 0 ? undefined : 'beside request_uri only client_id may be sent'
}
