/**
 * The delegation of a grant besides its scopes: limits on payments, and the actions that the owner must confirm. It
 * starts from the client's registration.
 *
 * Invariant: the effective policy is never wider than the registered one, whatever the grant contains. An owner lowers
 * it and never raises it. If the two cannot be compared, no payment is allowed until the owner consents again.
 */

import { compareDecimals } from '@financial-agents/contract/decimals'
import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Registration } from '../registration/registration.ts'

type Money = NonNullable<GrantPolicy['ceilings']['per_payment']>
type Confirmation = GrantPolicy['confirmation'][number]

/** The actions that the contract never allows without the owner's confirmation. */
const alwaysConfirmed = Object.values<Route>(routes)
  .flatMap(({ confirmation }) => (confirmation?.needed === 'always' ? [confirmation.action] : []))
  .toSorted()

/** The policy that every grant of the client starts from. */
export function registeredPolicy({ policy }: Pick<Registration, 'policy'>): GrantPolicy {
  const above = policy?.withdrawal_confirmation_above
  return withConfirmation(
    {
      per_payment: policy?.withdrawal_ceilings?.per_payment ?? null,
      per_day: policy?.withdrawal_ceilings?.per_day ?? null,
    },
    above === undefined ? undefined : { action: 'transfer', above },
  )
}

/** Returns the policy in force: the tighter of the registered one and the grant's. */
export function effectivePolicy(registration: Pick<Registration, 'policy'>, granted: GrantPolicy | null): GrantPolicy {
  const registered = registeredPolicy(registration)
  if (!granted) return registered
  return withConfirmation(
    {
      per_payment: tighter(registered.ceilings.per_payment, granted.ceilings.per_payment),
      per_day: tighter(registered.ceilings.per_day, granted.ceilings.per_day),
    },
    tighterConfirmation(transferOf(registered), transferOf(granted)),
  )
}

function withConfirmation(ceilings: GrantPolicy['ceilings'], transfer: Confirmation | undefined): GrantPolicy {
  const always = alwaysConfirmed.map((action) => ({ action, above: null }))
  return { ceilings, confirmation: transfer ? [...always, transfer] : always }
}

function transferOf(policy: GrantPolicy): Confirmation | undefined {
  return policy.confirmation.find(({ action }) => action === 'transfer')
}

/** `above` null requires a confirmation always, which is the tightest. */
function tighterConfirmation(one: Confirmation | undefined, other: Confirmation | undefined): Confirmation | undefined {
  if (!one || !other) return one ?? other
  return { action: 'transfer', above: one.above && other.above && tighter(one.above, other.above) }
}

function tighter(registered: Money, granted: Money): Money
function tighter(registered: Money | null, granted: Money | null): Money | null
function tighter(registered: Money | null, granted: Money | null): Money | null {
  if (!registered || !granted) return registered ?? granted
  if (registered.currency !== granted.currency) return { amount: '0', currency: registered.currency }
  return compareDecimals(granted.amount, registered.amount) < 0 ? granted : registered
}
