/**
 * Applies the script `malform` to an answer: wraps its first value in an unexpected object. The original contents stay
 * inside. A reader that wrongly repeats what it could not parse then reveals it, and tests find this.
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
