/** Times for people. */

const units: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** The time since a moment: "3 minutes ago". */
export function ago(atMs: number): string {
  const ms = Date.now() - atMs
  for (const [name, unitMs] of units) {
    const count = Math.floor(ms / unitMs)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'a moment ago'
}

/** A time of the API, shorter: `2026-11-23 16:05`, in UTC. */
export function shortTime(rfc3339: string | null | undefined): string | undefined {
  return rfc3339?.slice(0, 16).replace('T', ' ')
}
