/** Runs a program of the machine. */

import { execFile } from 'node:child_process'

/** A program with its arguments; `env` is added to the environment. */
export type Program = { command: string; args: readonly string[]; cwd: string; env?: Readonly<Record<string, string>> }

/**
 * Returns the output of a program.
 * @throws Error with the end of its output if it fails
 */
export function run({ command, args, cwd, env }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1_024 * 1_024 }
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${command} ${args[0] ?? ''} failed: ${`${stdout}\n${stderr}`.trim().slice(-3_000)}`))
    })
  })
}

/** True if the machine has the program. */
export function has(command: string, versionOption: string): Promise<boolean> {
  return run({ command, args: [versionOption], cwd: '/' }).then(
    () => true,
    () => false,
  )
}
