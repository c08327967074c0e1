/**
 * The shape of a text: one ASCII character for each code point. Patterns over shapes are small, quick, and the same for all
 * scripts.
 */

/** `a` for a letter, `0` for a digit or number of any script, `_`, `@` and space for themselves, `.` for anything else. */
export function shapeOf(text: string): string {
  let shape = ''
  for (const character of text) shape += shapes.get(character) ?? remember(character)
  return shape
}

const letter = /^\p{L}$/u
const number = /^\p{N}$/u
const maxRemembered = 4_096
const shapes = new Map<string, string>()

function remember(character: string): string {
  const shape = kindOf(character)
  if (shapes.size < maxRemembered) shapes.set(character, shape)
  return shape
}

function kindOf(character: string): string {
  if (character === '_' || character === '@' || character === ' ') return character
  if (number.test(character)) return '0'
  return letter.test(character) ? 'a' : '.'
}
