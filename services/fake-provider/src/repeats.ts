/**
 * Instructions by their reference. The promise of the Provider API: an instruction that arrives again is not executed
 * again. Without the promise it is executed again, so that a double submission has its full effect in tests.
 */

import { hash } from 'node:crypto'
import type { RecordOf } from './records.ts'

export type Arrived = {
  readonly testUser: string
  readonly clientReference: string
  readonly url: string
  readonly content: unknown
}

/** The earlier instruction under the same reference: none, the same instruction, or another one. */
export type Before =
  | { readonly type: 'new' }
  | { readonly type: 'repeated'; readonly kept: RecordOf }
  | { readonly type: 'reused' }

export type Repeats = {
  find(arrived: Arrived): Before
  remember(arrived: Arrived, kept: RecordOf): void
}

/** @param executes true: repetitions are executed again */
export function createRepeats(executes: boolean): Repeats {
  const known = new Map<string, { readonly digest: string; readonly kept: RecordOf }>()
  const keyOf = ({ testUser, clientReference }: Arrived) => `${testUser} ${clientReference}`
  const digestOf = ({ url, content }: Arrived) => hash('sha256', JSON.stringify([url, content]), 'base64url')
  return {
    find(arrived) {
      const before = known.get(keyOf(arrived))
      if (executes || before === undefined) return { type: 'new' }
      return before.digest === digestOf(arrived) ? { type: 'repeated', kept: before.kept } : { type: 'reused' }
    },
    remember: (arrived, kept) => void known.set(keyOf(arrived), { digest: digestOf(arrived), kept }),
  }
}
