/** The visible part of an account's number: at most its last four characters, whatever the provider sends. */

const shownCharacters = 4
const hidden = '•'

/**
 * Returns null if no part is legible. Spaces and hyphens between groups (`DE89 3704 …`) are removed before the end is
 * taken.
 */
export function maskedNumber(number: string | null): string | null {
  const characters = Array.from((number ?? '').replaceAll(/[\s-]/g, ''))
  const end = characters.slice(-shownCharacters).map((each) => (/[A-Za-z0-9]/.test(each) ? each : hidden))
  return end.every((each) => each === hidden) ? null : hidden.repeat(shownCharacters) + end.join('')
}
