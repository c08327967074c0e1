/** The frame of every command: what it did in lines, or one line that says why it could not, and the exit code. */

/** Runs `work` and prints what it answers; where it fails, one line on stderr and exit code 1. Causes are not printed. */
export async function runCommand(name: string, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await work()) process.stdout.write(`${line}\n`)
  } catch (error) {
    process.stderr.write(`${name}: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

/** One line. The error of a connection that failed at several addresses has a code and no message of its own. */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'failed').replaceAll('\n', '; ')
}
