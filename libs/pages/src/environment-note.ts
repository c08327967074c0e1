/** The line at the top of pages in an environment without real money. */

const notes = {
  local: 'Development environment: no real money moves here.',
  test: 'Test environment: no real money moves here.',
  production: undefined,
} as const

/** Returns the line for `environmentNote` of a page; undefined in production. */
export function environmentNote(environment: keyof typeof notes): string | undefined {
  return notes[environment]
}
