/** What no repetition mends: PostgreSQL's data exceptions and violated constraints (SQLSTATE classes 22 and 23). */

export function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
