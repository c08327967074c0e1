/**
 * Circuit breakers over the reads of a provider, one for each kind of read (decisions/0001).
 *
 * Invariant: only what speaks of the provider as a whole counts as a failure; a refused binding and an answer in another form
 * are answers, and failures of one binding alone, however many, open nothing. While a circuit is open nothing is sent, and of
 * those who come when it may close again one alone is let through, for a while none of those whose reads failed.
 */

import type { ProviderFailureCode } from '@financial-agents/provider/port'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel'

/** Nothing was sent: the provider has failed again and again, and is left alone for a while. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
}

/** For whom is read: a binding; null for what is read for everybody. */
export type Asker = string | null

/** The circuit of one kind of read. */
export type Circuit = {
  /** @throws CircuitOpen where a call for `asker` would be refused now */
  check(asker: Asker): void
  /**
   * @param by.enough false: the provider had less time than it may need, so that a time-out says nothing about it
   * @throws CircuitOpen
   */
  run<Result extends { readonly type: string }>(
    call: () => Promise<Result>,
    by: { asker: Asker; enough: boolean },
  ): Promise<Result>
}

const failuresInARow = 5
/** Of those in a row, as many count that came of one binding. */
const mostOfOne = 3
const openMs = 5_000
const ofTheProvider: ReadonlySet<ProviderFailureCode> = new Set([
  'provider_unreachable',
  'provider_timeout',
  'provider_connection_lost',
  'provider_error',
])

/** The circuits of this process, each made when its kind of read is first asked for. */
export function createCircuits(log: Log): (name: string) => Circuit {
  const circuits = new Map<string, Reported>()
  observe(() =>
    Array.from(circuits, ([read, circuit]) => [
      'financial_agents.provider.circuit_open',
      circuit.isOpen() ? 1 : 0,
      { read },
    ]),
  )
  return (name) => {
    const circuit = circuits.get(name) ?? createCircuit(name, log)
    circuits.set(name, circuit)
    return circuit
  }
}

type Reported = Circuit & { isOpen(): boolean }

function createCircuit(name: string, log: Log): Reported {
  const row = createRow()
  const breaker = circuitBreaker(handleWhenResult(isOfTheProvider), {
    halfOpenAfter: openMs,
    breaker: { state: undefined, success: () => {}, failure: () => row.isFull() },
  })
  let openUntilMs = 0
  breaker.onBreak(() => {
    openUntilMs = Date.now() + openMs
  })
  const isOpen = report(breaker, name, log)

  function check(asker: Asker): void {
    // In the library who comes during the probe waits for it: here they are answered at once.
    const probing = breaker.state === CircuitState.HalfOpen
    const untilMs = row.has(asker) ? openUntilMs + openMs : openUntilMs
    if (probing || (breaker.state === CircuitState.Open && Date.now() < untilMs)) throw new CircuitOpen(name)
  }

  async function run<Result extends { readonly type: string }>(
    call: () => Promise<Result>,
    { asker, enough }: { asker: Asker; enough: boolean },
  ) {
    check(asker)
    try {
      return await breaker.execute(async () => {
        const result = await call()
        if (!enough && reasonOf(result) === 'provider_timeout' && breaker.state === CircuitState.Closed)
          throw new Uncounted(result)
        // The row of a trial is its own alone: the others come before it next time.
        if (!isOfTheProvider(result) || breaker.state === CircuitState.HalfOpen) row.end()
        if (isOfTheProvider(result)) row.add(asker)
        return result
      })
    } catch (error) {
      if (error instanceof Uncounted) return error.result as Result
      throw error instanceof BrokenCircuitError ? new CircuitOpen(name) : error
    }
  }

  return { check, run, isOpen }
}

/** Failures in a row, of each binding no more than may be its own affair. */
function createRow() {
  const ofBindings = new Map<string, number>()
  let length = 0
  return {
    isFull: () => length >= failuresInARow,
    has: (asker: Asker) => asker !== null && ofBindings.has(asker),
    add: (asker: Asker) => {
      const known = asker === null ? 0 : (ofBindings.get(asker) ?? 0)
      if (length >= failuresInARow || known >= mostOfOne) return
      if (asker !== null) ofBindings.set(asker, known + 1)
      length += 1
    },
    end: () => {
      ofBindings.clear()
      length = 0
    },
  }
}

/** Carries a result past the library, which counts neither a success nor a failure where it does not know the error. */
class Uncounted extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super()
    this.result = result
  }
}

/** Logs its changes; answers whether it is open, from the first refusal until a trial succeeds. */
function report(breaker: CircuitBreakerPolicy, name: string, log: Log): () => boolean {
  let open = false
  breaker.onBreak(() => {
    open = true
    log.warn({ read: name, circuit: 'open', for_ms: openMs }, 'the provider fails: it is left alone for a while')
  })
  breaker.onHalfOpen(() => log.info({ read: name, circuit: 'half_open' }, 'the provider is tried with one read'))
  breaker.onReset(() => {
    open = false
    log.info({ read: name, circuit: 'closed' }, 'the provider answers again')
  })
  return () => open
}

function reasonOf(result: unknown): ProviderFailureCode | undefined {
  const { type, reason } = result as { type?: unknown; reason?: ProviderFailureCode }
  return type === 'unavailable' ? reason : undefined
}

function isOfTheProvider(result: unknown): boolean {
  const reason = reasonOf(result)
  return reason !== undefined && ofTheProvider.has(reason)
}
