/**
 * Finds a member that an object of a JSON text has twice. `JSON.parse` keeps the last one and other readers keep the
 * first one. An owner must not confirm one value while the other is carried out.
 *
 * The function makes one pass over a text that was parsed before, and is therefore valid JSON.
 */

const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** An open object or list at the current position. */
type Open = { names: Set<string> | null; at: string; index: number }

/** The path of the first repeated member; undefined if there is none. */
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

/** The position of the closing quotation mark of the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
}

/** A name written with escapes equals the same name without them. */
function nameIn(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}
