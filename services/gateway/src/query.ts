/** Parses a query string into names and values, each name once (application/x-www-form-urlencoded, WHATWG URL). */

import { type Field, Problem } from '@financial-agents/contract/problem'

/**
 * @throws Problem malformed_request if the query cannot be decoded; validation_failed that names repeated parameters
 */
export function parseQuery(raw: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>
  const repeated = new Set<string>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const name = decode(end === -1 ? pair : pair.slice(0, end))
    if (name in query) repeated.add(name)
    query[name] = end === -1 ? '' : decode(pair.slice(end + 1))
  }
  if (repeated.size > 0) throw repetition([...repeated])
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Problem('malformed_request', { detail: 'The query holds a percent-encoding that cannot be decoded.' })
  }
}

function repetition(names: string[]): Problem {
  const fields: Field[] = names.slice(0, 32).map((name) => ({
    path: printable(name) || 'query',
    message: 'Send this parameter once.',
  }))
  return new Problem('validation_failed', { detail: `${fields[0]?.path}: Send this parameter once.`, fields })
}

/** Shortens a name for use in a path, and replaces characters that cannot be printed. */
export function printable(name: string): string {
  return name
    .slice(0, 200)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '�')
}
