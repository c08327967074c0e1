/**
 * Circuit breakers over the reads of a provider, one for each kind of read (decisions/0001).
 *
 * Invariant: only failures of the provider as a whole count. A refused binding and an answer in another form are
 * answers. Failures of one binding alone, however many, open no circuit. While a circuit is open, nothing is sent.
 * After that time, one read is sent as a trial. For a while, a binding whose reads failed cannot send the trial.
 */

import type { ProviderFailureCode } from '@financial-agents/provider-port/port'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel'
import type { ReadHealth } from './read-health.ts'

/** Nothing was sent: the circuit is open after repeated failures of the provider. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
}

/** The binding of a read; null for a public read. */
export type Caller = string | null

export type Circuit = {
  /** @throws CircuitOpen if a call for `caller` would be refused now */
  check(caller: Caller): void
  /**
   * @param by.enough false if the provider has less time than it may need. A time-out then does not count.
   * @throws CircuitOpen
   */
  run<Result extends { readonly type: string }>(
    call: () => Promise<Result>,
    by: { caller: Caller; enough: boolean },
  ): Promise<Result>
}

const failuresInARow = 5
/** The most failures of one binding that count in a row. */
const mostOfOne = 3
const openMs = 5_000
const ofTheProvider: ReadonlySet<ProviderFailureCode> = new Set([
  'provider_unreachable',
  'provider_timeout',
  'provider_connection_lost',
  'provider_error',
])

/** The circuits of this process. Each is made at the first read of its kind. */
export function createCircuits(log: Log, health: ReadHealth): (name: string) => Circuit {
  const circuits = new Map<string, CircuitOfReport>()
  observe(() =>
    Array.from(circuits, ([read, circuit]) => [
      'financial_agents.provider.circuit_open',
      circuit.isOpen() ? 1 : 0,
      { read },
    ]),
  )
  return (name) => {
    const circuit = circuits.get(name) ?? createCircuit(name, log, health)
    circuits.set(name, circuit)
    return circuit
  }
}

type CircuitOfReport = Circuit & { isOpen(): boolean }

function createCircuit(name: string, log: Log, health: ReadHealth): CircuitOfReport {
  const row = createRow()
  const breaker = circuitBreaker(handleWhenResult(isOfTheProvider), {
    halfOpenAfter: openMs,
    breaker: { state: undefined, success: () => {}, failure: () => row.isFull() },
  })
  let openUntilMs = 0
  breaker.onBreak(() => {
    openUntilMs = Date.now() + openMs
  })
  const isOpen = report(breaker, name, log, health)

  function check(caller: Caller): void {
    // In the library, a call during the trial waits for its result. Here such a call is refused at once.
    const probing = breaker.state === CircuitState.HalfOpen
    const untilMs = row.has(caller) ? openUntilMs + openMs : openUntilMs
    if (probing || (breaker.state === CircuitState.Open && Date.now() < untilMs)) throw new CircuitOpen(name)
  }

  async function run<Result extends { readonly type: string }>(
    call: () => Promise<Result>,
    { caller, enough }: { caller: Caller; enough: boolean },
  ) {
    check(caller)
    try {
      return await breaker.execute(async () => {
        const { result, hurried } = await measured(call, enough)
        if (hurried && breaker.state === CircuitState.Closed) throw new Uncounted(result)
        // A failed trial starts a new row, so only the binding of that trial has to wait longer for the next one.
        if (!isOfTheProvider(result) || breaker.state === CircuitState.HalfOpen) row.end()
        if (isOfTheProvider(result)) row.add(caller)
        return result
      })
    } catch (error) {
      if (error instanceof Uncounted) return error.result as Result
      throw error instanceof BrokenCircuitError ? new CircuitOpen(name) : error
    }
  }

  /** Sends the call and records it. `hurried`: it timed out, and the provider had too little time. */
  async function measured<Result>(call: () => Promise<Result>, enough: boolean) {
    const beganMs = performance.now()
    let failed = true
    try {
      const result = await call()
      const hurried = !enough && reasonOf(result) === 'provider_timeout'
      failed = isOfTheProvider(result) && !hurried
      return { result, hurried }
    } finally {
      health.sent(name, { failed, ms: performance.now() - beganMs })
    }
  }

  return { check, run, isOpen }
}

/** Failures in a row, with a bound on those of one binding, which may be its own problem. */
function createRow() {
  const ofBindings = new Map<string, number>()
  let length = 0
  return {
    isFull: () => length >= failuresInARow,
    has: (caller: Caller) => caller !== null && ofBindings.has(caller),
    add: (caller: Caller) => {
      const known = caller === null ? 0 : (ofBindings.get(caller) ?? 0)
      if (length >= failuresInARow || known >= mostOfOne) return
      if (caller !== null) ofBindings.set(caller, known + 1)
      length += 1
    },
    end: () => {
      ofBindings.clear()
      length = 0
    },
  }
}

/** Carries a result past the library, which counts an unknown error as neither a success nor a failure. */
class Uncounted extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super()
    this.result = result
  }
}

/** Logs and records changes of the circuit. The result tells whether it is open: from its opening until a trial succeeds. */
function report(breaker: CircuitBreakerPolicy, name: string, log: Log, health: ReadHealth): () => boolean {
  let open = false
  health.circuit(name, 'closed')
  breaker.onBreak(() => {
    open = true
    health.circuit(name, 'open')
    log.warn({ read: name, circuit: 'open', for_ms: openMs }, 'the provider fails: it is left alone for a while')
  })
  breaker.onHalfOpen(() => {
    health.circuit(name, 'half_open')
    log.info({ read: name, circuit: 'half_open' }, 'the provider is tried with one read')
  })
  breaker.onReset(() => {
    open = false
    health.circuit(name, 'closed')
    log.info({ read: name, circuit: 'closed' }, 'the provider answers again')
  })
  return () => open
}

/** The code of a failed call; undefined for an answer. */
function reasonOf(result: unknown): ProviderFailureCode | undefined {
  const { type, reason } = result as { type?: unknown; reason?: ProviderFailureCode }
  return type === 'unavailable' ? reason : undefined
}

/** True for a failure of the provider as a whole. */
function isOfTheProvider(result: unknown): boolean {
  const reason = reasonOf(result)
  return reason !== undefined && ofTheProvider.has(reason)
}
