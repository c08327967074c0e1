/** Lines of progress in a test run, each with the seconds since the run began, before and beside the lines of its reporter. */

/** Writes a line that says what the run is doing now. */
export function say(line: string): void {
  process.stdout.write(`${process.uptime().toFixed(0).padStart(4)} s  ${line}\n`)
}
