/** Texts that reach a model: one line, no invisible characters, bounded. */

const longest = 200
/** Controls, format and direction characters, line separators, private and unassigned characters, variation selectors, lone surrogates. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{034F}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu

/** The text with every invisible character replaced by a visible mark, of at most `length` characters. */
export function plainText(text: string, length = longest): string {
  const visible = text.slice(0, 4 * length).replace(invisible, '\uFFFD')
  const characters = Array.from(visible)
  return characters.length <= length ? visible : `${characters.slice(0, length - 1).join('')}…`
}
