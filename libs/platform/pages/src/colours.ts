/**
 * The accent of an installation: the colours that derive from the colour that its operator chose, and their contrast.
 *
 * Invariant: an accepted accent has a contrast of at least 4.5:1 (WCAG 2, 1.4.3), both as the colour of a text and as the
 * background of a text. The backgrounds of all other colours stay the same.
 */

/** A colour as `#rrggbb`, in lower case. */
export type Colour = string

/** The colours of a scheme that belong to its accent. */
export type Accent = { accent: Colour; strong: Colour; on: Colour; wash: Colour }

export type Scheme = 'light' | 'dark'

/** The least contrast of a text. */
export const leastContrast = 4.5

/** The backgrounds of a scheme, as the stylesheet has them. An accent is mixed with them. */
export const grounds: { readonly [S in Scheme]: { page: Colour; card: Colour } } = {
  light: { page: '#f5f6f4', card: '#ffffff' },
  dark: { page: '#101614', card: '#182020' },
}

/** Returns the colours that belong to an accent. `strong` has more contrast than the accent, `wash` is the card with a little of it. */
export function accentOf(scheme: Scheme, accent: Colour): Accent {
  const { page, card } = grounds[scheme]
  return scheme === 'light'
    ? { accent, strong: mixed(accent, '#000000', 0.25), on: card, wash: mixed(card, accent, 0.06) }
    : { accent, strong: mixed(accent, '#ffffff', 0.35), on: page, wash: mixed(card, accent, 0.1) }
}

/**
 * Returns the reason why an accent is refused: its least contrast, and the place where it occurs. Undefined if the
 * accent is accepted.
 */
export function accentFault(scheme: Scheme, colour: Colour): string | undefined {
  const { page, card } = grounds[scheme]
  const { accent, on, wash } = accentOf(scheme, colour)
  const used: readonly (readonly [text: Colour, ground: Colour, where: string])[] = [
    [accent, page, `as text on the page (${page})`],
    [accent, card, `as text on a card (${card})`],
    [accent, wash, `as a letter on its own wash (${wash})`],
    [on, accent, `under the text of a button (${on})`],
  ]
  const [least] = used
    .map(([text, ground, where]) => ({ ratio: contrast(text, ground), where }))
    .toSorted((one, other) => one.ratio - other.ratio)
  if (!least || least.ratio >= leastContrast) return undefined
  return `the ${scheme} colour has a contrast of ${written(least.ratio)}:1 ${least.where}, and needs ${leastContrast}:1`
}

/** The contrast ratio as WCAG 2 defines it. */
export function contrast(one: Colour, other: Colour): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Two decimals, rounded down, so that 4.499 does not read as enough. */
function written(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mixed(colour: Colour, into: Colour, share: number): Colour {
  const other = channels(into)
  const parts = channels(colour).map((channel, at) => Math.round(channel * (1 - share) + (other[at] ?? 0) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function channels(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}
