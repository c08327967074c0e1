/**
 * What the script `malform` makes of an answer: its first value is wrapped in an object that nobody promised. Whatever
 * the answer held is still in it, so that a reader that repeats what it could not read shows it.
 */

export function malformed(body: object): object {
  const copy = structuredClone(body)
  wrapFirst(copy)
  return copy
}

function wrapFirst(holder: object): boolean {
  const members = holder as Record<string, unknown>
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'object' || value === null) {
      members[name] = { unexpected: value }
      return true
    }
    if (wrapFirst(value)) return true
  }
  return false
}
