/**
 * Finds a member that an object of a JSON text has twice. `JSON.parse` keeps the last, other readers keep the first, and an
 * owner must not confirm one of them while the other is carried out.
 *
 * One pass over text that has been parsed, and so is known to be JSON.
 */

const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** An object, or a list, that is open where the pass stands. */
type Open = { names: Set<string> | null; at: string; index: number }

/** The path of the first member that comes a second time; undefined where none does. */
export function findRepeatedMember(text: string): string[] | undefined {
  const open: Open[] = []
  let inner: Open | undefined
  let isName = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (isName && inner?.names) {
        inner.at = nameIn(text.slice(at, end + 1))
        if (inner.names.has(inner.at)) return open.map((one) => (one.names ? one.at : String(one.index)))
        inner.names.add(inner.at)
        isName = false
      }
      at = end
    } else if (code === openObject || code === openList) {
      isName = code === openObject
      inner = { names: isName ? new Set() : null, at: '', index: 0 }
      open.push(inner)
    } else if (code === closeObject || code === closeList) {
      open.pop()
      inner = open.at(-1)
      isName = false
    } else if (code === comma && inner) {
      isName = inner.names !== null
      inner.index += 1
    }
  }
  return undefined
}

/** Where the string that begins at `from` has its closing quotation mark. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
}

/** A name may be written with escapes, and is still the same. */
function nameIn(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}
