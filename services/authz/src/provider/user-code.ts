/**
 * The code that a person enters for a device. It is compared by its letters alone, in whatever form they are typed or pasted:
 * full-width letters, small letters, dashes, spaces and characters that nobody sees.
 */

export function cleanUserCode(params: Record<string, unknown>): void {
  const { user_code: code } = params
  if (typeof code === 'string') params['user_code'] = lettersOf(code) || undefined
}

/** NFKC turns each form of a letter into the letter itself (Unicode, UAX 15). */
function lettersOf(code: string): string {
  return code.normalize('NFKC').replace(/[^A-Za-z0-9]/g, '')
}
