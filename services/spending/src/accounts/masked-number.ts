/** What is shown of an account's number: its last four characters at most, whatever the provider sends. */

const shownCharacters = 4
const hidden = '•'

/** Null where nothing of it is legible. Groups (`DE89 3704 …`) are closed up before the end is taken. */
export function maskedNumber(number: string | null): string | null {
  const characters = Array.from((number ?? '').replaceAll(/[\s-]/g, ''))
  const end = characters.slice(-shownCharacters).map((each) => (/[A-Za-z0-9]/.test(each) ? each : hidden))
  return end.every((each) => each === hidden) ? null : hidden.repeat(shownCharacters) + end.join('')
}
