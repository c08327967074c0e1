/**
 * Progress lines of a test run, each with the seconds since the run began. They appear before and among the reporter's
 * lines.
 */

/** Writes a line about the run's current work. */
export function say(line: string): void {
  process.stdout.write(`${process.uptime().toFixed(0).padStart(4)} s  ${line}\n`)
}
