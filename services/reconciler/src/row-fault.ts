/**
 * Whether a statement failed because of what one row says (SQLSTATE classes 22 and 23). Only then is a batch worth
 * trying item by item; anything else concerns the database and would fail for each item again.
 */
export function isRowFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^2[23]/.test(code)
}
