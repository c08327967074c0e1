// Version numbers of servers, as their own `--version` option prints them.

/**
 * Finds the first dotted number in a text, such as `15.18` in `postgres (PostgreSQL) 15.18`; undefined if there is
 * none.
 */
export function findVersion(text: string): string | undefined {
  return /\d+(?:\.\d+)+/.exec(text)?.[0]
}

/** Compares dotted numbers: negative if `left` is older. Missing parts count as zero. */
export function compareVersions(left: string, right: string): number {
  const [leftParts, rightParts] = [left, right].map((version) => version.split('.').map(Number))
  for (let i = 0; i < Math.max(leftParts?.length ?? 0, rightParts?.length ?? 0); i++) {
    const difference = (leftParts?.[i] ?? 0) - (rightParts?.[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export function isAtLeast(version: string, minimum: string): boolean {
  return compareVersions(version, minimum) >= 0
}
