/**
 * Waits for operations. One loop serves all waits of a client. The loop reads an operation only when it can have
 * changed, and reads many operations by one list. It shows each approval page to the owner once.
 */

import { type Attempt, attempt } from './attempt.ts'
import type { Core } from './core.ts'
import type { Operation } from './generated/types.ts'
import { isFinal, type Outcome, outcomeOf, type WaitOptions } from './outcome.ts'
import { listOf, operationOf } from './own-answer.ts'
import { tellOwner } from './owner.ts'
import type { ApiProblem } from './problem.ts'
import { after, onAbort, sleep } from './sleep.ts'
import { operationRead } from './transport.ts'
import { waitFailed } from './wait-failed.ts'

type Watch = {
  operation: Operation
  dueAtMs: number
  /** The number of reads in a row without a change. The pauses grow with it. */
  quiet: number
  waiters: Set<Waiter>
}
type Waiter = { end(outcome: Outcome): void; fail(error: unknown): void }

/** If at least this number of operations is due, one list is cheaper than a read of each. */
const listFrom = 3
const firstPauseMs = 150
const longestPauseMs = 3_000
const longestReconcileMs = 60_000

export type Poller = { wait(operation: Operation, options?: WaitOptions): Promise<Outcome> }

/** The poller does nothing while nobody waits. */
export function createPoller(core: Core): Poller {
  const watches = new Map<string, Watch>()
  /** The approval pages that were shown, by operation. */
  const shown = new Map<string, string>()
  let changed = new AbortController()
  let isRunning = false

  const run = async () => {
    while (watches.size > 0) {
      const nextMs = Math.min(...[...watches.values()].map(({ dueAtMs }) => dueAtMs))
      changed = new AbortController()
      await sleep(Math.max(0, nextMs - Date.now()), changed.signal).catch(() => {})
      const due = [...watches.values()].filter(({ dueAtMs }) => dueAtMs <= Date.now() + 50)
      await readAll(core, due)
      for (const watch of due) {
        if (isFinal(watch.operation)) end(watch)
        else showApproval(core, watch, shown)
      }
    }
  }
  const start = () => {
    if (isRunning) changed.abort()
    else {
      isRunning = true
      void run().finally(() => {
        isRunning = false
        if (watches.size > 0) start()
      })
    }
  }
  const end = (watch: Watch) => {
    watches.delete(watch.operation.id)
    shown.delete(watch.operation.id)
    for (const waiter of watch.waiters) waiter.end(outcomeOf(watch.operation))
  }
  return {
    wait: async (operation, { signal, timeoutMs = 60_000 } = {}) => {
      if (isFinal(operation)) return outcomeOf(operation)
      const { id } = operation
      const watch = watches.get(id) ?? { operation, dueAtMs: Date.now() + firstPauseMs, quiet: 0, waiters: new Set() }
      let leave = () => {}
      try {
        return await new Promise<Outcome>((end, fail) => {
          const waiter = { end, fail }
          const abort = () => fail(signal?.reason as Error)
          const cancel = after(timeoutMs, () => end(outcomeOf(watch.operation)))
          const forget = signal && onAbort(signal, abort)
          leave = () => {
            cancel()
            forget?.()
            watch.waiters.delete(waiter)
          }
          watch.waiters.add(waiter)
          watches.set(id, watch)
          if (signal?.aborted) abort()
          else start()
        })
      } finally {
        leave()
        if (watch.waiters.size === 0 && watches.get(id) === watch) watches.delete(id)
        changed.abort()
      }
    },
  }
}

async function readAll(core: Core, due: readonly Watch[]): Promise<void> {
  let rest = due
  if (due.length >= listFrom) {
    const listed = await listNewest(core)
    rest = due.filter((watch) => {
      const operation = listed.get(watch.operation.id)
      // An operation that waits for approval is polled by its own route, not read.
      if (!operation || operation.state === 'requires_action') return true
      schedule(core, watch, operation)
      return false
    })
  }
  for (const watch of rest) await readOne(core, watch)
}

async function listNewest(core: Core): Promise<Map<string, Operation>> {
  const promised = { is: listOf(operationOf()) }
  const last = await attempt(core, { method: 'GET', path: '/v1/operations', promised }).catch(() => undefined)
  const { items } = (last?.end === 'answered' ? last.body : { items: [] }) as { items: Operation[] }
  return new Map(items.map((operation) => [operation.id, operation]))
}

/** Reads one operation. A refusal of the read ends the wait; a lost answer, or a failure of the API, does not. */
async function readOne(core: Core, watch: Watch): Promise<void> {
  const { id, state } = watch.operation
  const read = operationRead(id)
  const request = state === 'requires_action' ? { ...read, method: 'POST', path: `${read.path}/approval/poll` } : read
  try {
    const last = await attempt(core, request)
    if (last.end === 'answered') {
      schedule(core, watch, last.body as Operation)
    } else if (last.end === 'refused' && !isPassing(last.problem)) throw last.problem
    else later(watch, last)
  } catch (error) {
    fail(watch, error)
  }
}

/** True if a later read can succeed: the API is busy or has failed. */
function isPassing({ retryable, status }: ApiProblem): boolean {
  return retryable || status >= 500
}

function fail({ operation, waiters }: Watch, cause: unknown): void {
  const error = waitFailed(operation.id, cause)
  for (const waiter of waiters) waiter.fail(error)
}

function schedule(core: Core, watch: Watch, operation: Operation): void {
  watch.quiet = operation.updated_at === watch.operation.updated_at ? watch.quiet + 1 : 0
  watch.operation = operation
  watch.dueAtMs = Date.now() + pauseMs(core, watch)
}

function pauseMs({ clock }: Core, { operation, quiet }: Watch): number {
  const growing = Math.min(longestPauseMs, firstPauseMs * 1.5 ** quiet)
  if (operation.action_required?.poll_after_ms) return operation.action_required.poll_after_ms
  if (operation.next_reconcile_at === null) return growing
  // The provider is not asked before this time, so an earlier read shows nothing new.
  const untilMs = Date.parse(operation.next_reconcile_at) - clock.now() + firstPauseMs
  return untilMs < 0 ? growing : Math.min(untilMs, longestReconcileMs)
}

function later(watch: Watch, { afterMs }: Extract<Attempt, { afterMs: unknown }>): void {
  watch.quiet += 1
  watch.dueAtMs = Date.now() + Math.max(afterMs ?? 0, Math.min(longestPauseMs, firstPauseMs * 2 ** watch.quiet))
}

/**
 * Shows each approval page once, and keeps reading meanwhile. If there is no callback, the outcome `needs_owner` ends
 * the wait.
 */
function showApproval(core: Core, watch: Watch, shown: Map<string, string>): void {
  const { id, action_required: action } = watch.operation
  if (!action || action.url === shown.get(id)) return
  shown.set(id, action.url)
  if (!core.onOwnerNeeded) {
    for (const waiter of watch.waiters) waiter.end(outcomeOf(watch.operation))
    return
  }
  const expiresAt = action.expires_at === null ? null : new Date(action.expires_at)
  tellOwner(core.onOwnerNeeded, { kind: 'approval', url: action.url, expiresAt }).catch((error: unknown) => {
    shown.delete(id)
    fail(watch, error)
  })
}
