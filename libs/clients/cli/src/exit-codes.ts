/** The exit codes: one table for the program, its help and its README. Programs that call this one depend on them. */

export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  needsOwner: 3,
  uncertain: 4,
  stillRunning: 5,
  unavailable: 6,
  notConfirmed: 7,
  interrupted: 130,
} as const

export type Ending = keyof typeof exitCodes

/** The meaning of each exit code, and the next step. */
export const meanings: Readonly<Record<Ending, string>> = {
  done: 'Done.',
  failed: 'Refused by the API, or failed, or cancelled. Final: a new attempt is a new write.',
  wrongUse: 'The command line is wrong. Nothing was sent.',
  needsOwner: 'The owner has to act: sign in, confirm or approve. Then run the same command again.',
  uncertain: 'The outcome is not known: it may have happened. Run the same command again; it does not pay twice.',
  stillRunning:
    'Accepted, and not finished in the time of `--timeout`. Run the same command again, or `operations wait`.',
  unavailable: 'The API did not answer a read, or is busy. Run the same command again later.',
  notConfirmed: 'You said no. Nothing was sent.',
  interrupted: 'Interrupted by Ctrl-C. A write that was sent goes on: run the same command again.',
}
