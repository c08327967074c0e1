/**
 * Kills the process of `process.test-helper.ts` at a failpoint, and repeats calls to it, as areas and their background jobs do.
 * The process that recovers is the one that is killed next.
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { expect } from 'vitest'

const pauseMs = 50
/** Only bounds a hang. */
const attempts = 2_400
const killedWithinMs = 120_000

const entry = join(import.meta.dirname, 'process.test-helper.ts')

/** A process that dies again and again, and calls that are repeated until they have an answer. */
export type Insistence = {
  /** Repeats the call until it is answered, and the answer is one that is wanted. */
  insist: <Answer>(work: () => Promise<Answer>, wanted?: (answer: Answer) => boolean) => Promise<Answer>
  /** Lets the process kill itself at this failpoint. Calls under way are given up then: nobody answers them. */
  doom: (failpoint: string) => Promise<void>
  /** Resolves when the doomed process has killed itself and another one has started. */
  killed: () => Promise<void>
  stop: () => Promise<void>
}

/** @param environment the variables of the process beside those that every process of this service needs */
export function createInsistence(environment: () => Record<string, string>): Insistence {
  const folder = mkdtempSync(join(tmpdir(), 'failpoint-'))
  const failpointFile = join(folder, 'failpoint')
  let running: Child | undefined
  let ended: Promise<undefined> | undefined
  const start = () =>
    startChild('operations', process.execPath, [entry], {
      env: {
        ...compileCache,
        ENVIRONMENT: 'test',
        LOG_LEVEL: 'error',
        HEALTH_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        BACKGROUND_JOB_PAUSE_MS: '50',
        BACKGROUND_JOB_AFTER_MS: '200',
        BACKGROUND_JOB_LONGEST_MS: '500',
        TEST_FAILPOINT_FILE: failpointFile,
        ...environment(),
      },
    })
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
    doom: async (failpoint) => {
      const doomed = (running ??= await start())
      ended = doomed.exited.then(() => {
        ended = undefined
        return undefined
      })
      writeFileSync(failpointFile, failpoint)
      // A process that does not listen yet would end by the signal.
      await expect.poll(() => doomed.lastLines().join('\n')).toContain('started')
      doomed.signal('SIGUSR2')
      await expect.poll(() => existsSync(failpointFile)).toBe(false)
    },
    killed: async () => {
      expect(await Promise.race([running?.exited, delay(killedWithinMs)])).toMatchObject({ signal: 'SIGKILL' })
      running = await start()
    },
    stop: async () => {
      await running?.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
