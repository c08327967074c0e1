/**
 * Several adapters as one port. A call for a person goes to the adapter of the person's binding. A call without a person
 * goes to the first adapter.
 *
 * Invariant: no call of one provider's binding ever reaches another provider. A binding whose adapter this installation does
 * not have gets no answer, and nothing is sent.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider, SubmitOutcome } from '@financial-agents/provider-port/port'

export type RoutedProvider = Provider & {
  /** The adapter of this name; undefined if this installation has none. */
  of(name: string): Provider | undefined
  /** The kinds that an adapter declares, for each adapter by its name. */
  readonly kinds: ReadonlyMap<string, readonly OperationKind[]>
}

export type OpenedAdapter = {
  readonly name: string
  readonly kinds: readonly OperationKind[]
  readonly provider: Provider
}

/** The name of an adapter that serves the bindings of every provider. */
export const everyProvider = '*'

const unreachable = { type: 'unavailable', reason: 'provider_unreachable' } as const
const unsent: SubmitOutcome = {
  type: 'unsent',
  failureCode: 'provider_unreachable',
  failureDetail: 'This installation has no adapter for the provider of the connection; nothing was sent.',
}

type Call = (request: { readonly provider?: string }) => Promise<unknown>

/** @param adapters at least one, with names of their own */
export function routed(adapters: readonly [OpenedAdapter, ...OpenedAdapter[]]): RoutedProvider {
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter.provider]))
  const first = adapters[0].provider
  const of = (name: string) => byName.get(name) ?? byName.get(everyProvider)
  const call =
    (member: keyof Provider): Call =>
    async (request) => {
      const provider = request.provider === undefined ? first : of(request.provider)
      if (provider === undefined) return member === 'submit' ? unsent : unreachable
      return (provider[member] as Call)(request)
    }
  const calls = Object.entries(first).flatMap(([member, value]) =>
    typeof value === 'function' ? [[member, call(member as keyof Provider)] as const] : [],
  )
  return {
    ...(Object.fromEntries(calls) as unknown as Provider),
    of,
    kinds: new Map(adapters.map(({ name, kinds }) => [name, kinds])),
    supports: (kind) => adapters.some(({ provider }) => provider.supports(kind)),
    mayAskApproval: (kind) => adapters.some(({ provider }) => provider.mayAskApproval(kind)),
    // A promise belongs to one provider: read it from the adapter that `of` returns.
    deadlines: null,
    close: async () => {
      await Promise.all(adapters.map(({ provider }) => provider.close()))
    },
  }
}
