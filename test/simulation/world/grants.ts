/**
 * The grants of a seed, as authz keeps them: grants end, and the client gets a new grant under another id. Also records
 * the owners' consent. The authority of every claim is checked against this record, independently of the services.
 */

export type Grant = {
  owner_id: string
  client_id: string
  grant_id: string
  created_at: string
  ends_at: string | null
  active: boolean
}

export type Grants = ReturnType<typeof createGrants>

type Pair = Pick<Grant, 'owner_id' | 'client_id'>
type Payer = Pick<Grant, 'client_id' | 'grant_id'>

export function createGrants() {
  const all: Grant[] = []
  /** For each intent: the grants that were active when its owner first confirmed it. */
  const confirmed = new Map<string, readonly Grant[]>()
  const agreed = new Set<string>()
  const text = (mandateId: string, { client_id, grant_id }: Payer) => JSON.stringify([mandateId, client_id, grant_id])
  const activeOf = (owner_id: string) => all.filter((grant) => grant.active && grant.owner_id === owner_id)

  return {
    activeOf,
    add: (pair: Pair, grant_id: string, created_at: string, ends_at: string | null = null): Grant => {
      const { owner_id, client_id } = pair
      const grant = { owner_id, client_id, grant_id, created_at, ends_at, active: true }
      all.push(grant)
      return grant
    },
    current: ({ owner_id, client_id }: Pair) => activeOf(owner_id).find((grant) => grant.client_id === client_id),
    endsAt: (grantId: unknown): string | null => all.find(({ grant_id }) => grant_id === grantId)?.ends_at ?? null,
    end: (grantId: string): Grant | undefined => {
      const grant = all.find((one) => one.grant_id === grantId)
      if (grant) grant.active = false
      return grant
    },
    confirm: (intentId: string, ownerId: string): void => {
      if (!confirmed.has(intentId)) confirmed.set(intentId, activeOf(ownerId))
    },
    /** The owner lets this grant pay under the mandate, even if the services never learn of it. */
    agree: (mandateId: string, payer: Payer): void => void agreed.add(text(mandateId, payer)),
    /** `intentId`: the intent that created the mandate. */
    hasAgreed: (mandateId: string, intentId: string | undefined, payer: Payer): boolean =>
      agreed.has(text(mandateId, payer)) ||
      (confirmed.get(intentId ?? '') ?? []).some(
        (grant) => grant.client_id === payer.client_id && grant.grant_id === payer.grant_id,
      ),
  }
}
