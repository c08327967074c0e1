/**
 * Connects a client that waits for acts of the owner with a host that has to show them.
 *
 * The first call that needs the owner ends with the page (`OwnerActs`). A call that needs the same page again waits
 * some time for the decision. A sign-in continues in the background, and meanwhile every call gets its page.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent, FinancialAgentsOptions, OnOwnerNeeded, OwnerNeeded } from '@financial-agents/client'
import { causesOf } from './causes.ts'

type Auth = FinancialAgentsOptions['auth']

/** The owner has to open a page before the call can go on. */
export class OwnerActs extends Error {
  override readonly name = 'OwnerActs'
  readonly needed: OwnerNeeded

  constructor(needed: OwnerNeeded) {
    super(`the owner has to act: ${needed.kind}`)
    this.needed = needed
  }
}

/** A call that may wait for the owner. */
type Waiting = { waits: boolean; needed?: OwnerNeeded }
type SignIn = { over: Promise<unknown>; needed?: OwnerNeeded }

/** Passes the pages of the owner to the calls that need them. */
export class OwnerDesk {
  readonly #callMs: number
  readonly #shown = new Set<string>()
  readonly #calls = new Set<AbortController>()
  readonly #waiting = new AsyncLocalStorage<Waiting>()
  #signIn: SignIn | undefined

  /** @param callMs the longest time that one call waits, in milliseconds */
  constructor(callMs: number) {
    this.#callMs = callMs
  }

  /** The client's callback. */
  readonly onOwnerNeeded: OnOwnerNeeded = (needed) => {
    if (needed.kind === 'sign_in') {
      if (this.#signIn) this.#signIn.needed = needed
      for (const call of this.#calls) call.abort(new OwnerActs(needed))
      return
    }
    const waiting = this.#waiting.getStore()
    // One loop of the client shows the approvals of all calls. Only a confirmation therefore belongs to the call in
    // which it is shown.
    if (waiting && needed.kind === 'confirmation') waiting.needed = needed
    if (this.#shown.has(needed.url) && waiting?.waits !== false) return
    this.#shown.add(needed.url)
    throw new OwnerActs(needed)
  }

  /** Returns the profile with a function that tells the desk when a sign-in begins and ends. */
  watched(auth: Auth): Auth {
    return {
      ...auth,
      obtain: (context) => {
        const over = auth.obtain(context)
        const signIn: SignIn = { over: over.catch(() => {}) }
        this.#signIn = signIn
        void signIn.over.then(() => {
          if (this.#signIn === signIn) this.#signIn = undefined
        })
        return over
      },
    }
  }

  /**
   * Runs the work of one call.
   *
   * @param waits false if the call ends as soon as the owner has to act, even if the page was shown before
   * @throws OwnerActs if the owner has to open a page first; the same call goes on when it is repeated
   */
  async during<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    { signal: outer, waits }: { signal: AbortSignal; waits: boolean },
  ): Promise<Result> {
    const call = new AbortController()
    const limit = AbortSignal.timeout(this.#callMs)
    const signal = AbortSignal.any([outer, limit, call.signal])
    const waiting: Waiting = { waits }
    await this.#signedIn(signal, waits)
    this.#calls.add(call)
    try {
      return await this.#waiting.run(waiting, () => work(signal))
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason
      // The client reports every error that ends a wait as its own, with the page of the owner as the cause.
      const acts = causesOf(error).find((cause) => cause instanceof OwnerActs)
      if (acts) throw acts
      if (limit.aborted && waiting.needed) throw new OwnerActs(waiting.needed)
      throw error
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Begins a sign-in. Ends with the page that the owner has to open. */
  async signIn(agent: Agent, signal: AbortSignal): Promise<void> {
    // The sign-in outlives the call that began it.
    const begun = agent.signIn()
    begun.catch(() => {})
    await abortable(begun, signal)
  }

  /** Waits for a sign-in that is under way. */
  async #signedIn(signal: AbortSignal, waits: boolean): Promise<void> {
    const signIn = this.#signIn
    if (!signIn?.needed) return
    const { needed } = signIn
    if (!waits) throw new OwnerActs(needed)
    await abortable(signIn.over, signal).catch(() => {
      throw new OwnerActs(needed)
    })
  }
}

async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    leave = () => signal.removeEventListener('abort', abort)
  })
  return Promise.race([promise, aborted]).finally(leave)
}
