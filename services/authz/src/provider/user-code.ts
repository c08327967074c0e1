/**
 * The code that a person enters for a device. Full-width letters become plain ones, and spaces, other dashes and characters that
 * nobody sees are removed. The library then ignores case and hyphens.
 */

export function cleanUserCode(params: Record<string, unknown>): void {
  const { user_code: code } = params
  if (typeof code === 'string') params['user_code'] = plainForm(code) || undefined
}

/** NFKC turns each form of a letter into the letter itself (Unicode, UAX 15). */
function plainForm(code: string): string {
  return code.normalize('NFKC').replace(/[^A-Za-z0-9-]/g, '')
}
