/** The state of the provider's identity check of a persona. */

import type { Clock } from '@financial-agents/runtime/clock'
import type { IdentityStatus, Persona } from './personas.ts'

export type Identity = { readonly status: IdentityStatus; readonly reason: string | null; readonly changed_at: string }

export type Identities = {
  show(persona: Persona): Identity
  /** True if an earlier check has lapsed. The persona must pass a new one before most other calls. */
  hasLapsed(persona: Persona): boolean
  record(persona: string, status: IdentityStatus, reason: string | null): void
}

export function createIdentities(clock: Clock): Identities {
  const changed = new Map<string, Identity>()
  const startedAt = clock.now().toISOString()
  const show = ({ id, identity }: Persona): Identity =>
    changed.get(id) ?? { status: identity, reason: null, changed_at: startedAt }
  return {
    show,
    hasLapsed: (persona) => show(persona).status === 'lapsed',
    record(persona, status, reason) {
      changed.set(persona, { status, reason, changed_at: clock.now().toISOString() })
    },
  }
}
