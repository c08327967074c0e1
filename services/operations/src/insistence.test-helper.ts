/** Repeats calls to a process that the test kills, as areas and their background jobs do. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '@financial-agents/servers/child-process'
import { expect } from 'vitest'

const pauseMs = 50
/** Only bounds a hang. */
const attempts = 2_400
const killedWithinMs = 120_000

/** Calls that are repeated until they have an answer. */
export type Insistence = {
  /** Repeats the call until it is answered, and the answer is one that is wanted. */
  insist: <Answer>(work: () => Promise<Answer>, wanted?: (answer: Answer) => boolean) => Promise<Answer>
  /** Gives up the calls under way when this process has ended: it does not answer those that it has received. */
  doom: (process: Child) => void
  /** Resolves when the doomed process has killed itself. */
  killed: () => Promise<void>
}

export function createInsistence(): Insistence {
  let doomed: Child | undefined
  let ended: Promise<undefined> | undefined
  return {
    insist: async (work, wanted = () => true) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const answered = work().catch(() => undefined)
        const answer = await (ended ? Promise.race([answered, ended]) : answered)
        if (answer !== undefined && wanted(answer)) return answer
        await delay(pauseMs)
      }
      throw new Error('there was no such answer')
    },
    doom: (process) => {
      doomed = process
      ended = process.exited.then(() => {
        ended = undefined
        return undefined
      })
    },
    killed: async () => {
      expect(await Promise.race([doomed?.exited, delay(killedWithinMs)])).toMatchObject({ signal: 'SIGKILL' })
    },
  }
}
