/**
 * This API's own services as one table: the capabilities of each, in the order in which clients read them. The routes of a
 * capability, its requirements, its availability and the category derive from the rows of the route table.
 *
 * Invariant, checked by the test beside this file: every route for which one scope is enough belongs to one capability.
 */

import type { Route } from '@financial-agents/contract/route'
import { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import { activityRoutes } from '@financial-agents/contract/routes/activity'
import { authorizationRoutes } from '@financial-agents/contract/routes/authorization'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { identityRoutes } from '@financial-agents/contract/routes/identity'
import { kycRoutes } from '@financial-agents/contract/routes/kyc'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import { servicesRoutes } from '@financial-agents/contract/routes/services'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'

/** The rows of each capability. A capability without routes in this release has none. */
export type CapabilityRoutes = Readonly<Record<string, readonly Route[]>>

export type OwnService = {
  /** Our own id, the same for ever and in every environment. */
  id: string
  name: string
  capabilities: CapabilityRoutes
}

const purchasingNames = ['purchases.quote', 'purchases.exact_execute', 'purchases.query_execute']

/** The capabilities of purchases, for the provider's services and for the area alike. */
export const purchasing = capabilitiesOf(purchasesRoutes, purchasingNames)

export const ownServices: readonly OwnService[] = [
  service('01941f29-7c00-7070-a724-d5c1d37b8994', 'Accounts', accountsRoutes, ['accounts.read']),
  service('01941f29-7c00-7092-aeb2-ba455713278e', 'Activity', activityRoutes, ['activity.read']),
  service('01941f29-7c00-70ff-b16d-f6b59cc58b32', 'Spending account and withdrawals', spendingRoutes, [
    'spending.read',
    'transfers.execute',
  ]),
  service('01941f29-7c00-7131-a6a4-a942aec6dae2', 'Beneficiaries', beneficiariesRoutes, [
    'beneficiaries.read',
    'beneficiaries.create',
  ]),
  service('01941f29-7c00-715b-b7ff-f59861f74d56', 'Mandates', mandatesRoutes, [
    'mandates.read',
    'mandates.manage',
    'transfers.execute',
  ]),
  service('01941f29-7c00-723c-9de3-f1fb83e34179', 'Cards', cardsRoutes, ['cards.read', 'cards.manage', 'cards.reveal']),
  service('01941f29-7c00-7271-ad5d-7365f61dc89b', 'Transfer quotes', transferQuotesRoutes, ['transfers.quote']),
  service('01941f29-7c00-730d-a58e-06bcee4c2f78', 'Purchases', purchasesRoutes, ['purchases.read', ...purchasingNames]),
  service('01941f29-7c00-7544-ac3a-d1cc6342849e', 'Operations', operationsRoutes, ['operations.read']),
  service('01941f29-7c00-7561-9d0e-6b27c41f83aa', 'Transfers', transfersRoutes, ['transfers.read']),
  service('01941f29-7c00-7599-bdb3-76937df9ec5c', 'Operation webhooks', webhooksRoutes, ['webhooks.manage']),
  service('01941f29-7c00-7697-bb73-104ab3fa358f', 'Verification', kycRoutes, ['kyc.read', 'kyc.start']),
  service('01941f29-7c00-785b-af27-f88635d867f1', 'Onboarding and connection', onboardingRoutes, [
    'onboarding.read',
    'connection.read',
    'connection.disconnect',
  ]),
  service('01941f29-7c00-7ba9-9542-06e737d61f7e', 'Authorization', authorizationRoutes, ['authorization.read']),
  service('01941f29-7c00-7d58-b35d-c6440c123937', 'Identity', identityRoutes, ['identity.read']),
  service('01941f29-7c00-7e82-b224-6fe46361a979', 'Services', servicesRoutes, ['services.read']),
]

function service(id: string, name: string, routes: Readonly<Record<string, Route>>, capabilities: readonly string[]) {
  return { id, name, capabilities: capabilitiesOf(routes, capabilities) }
}

function capabilitiesOf(routes: Readonly<Record<string, Route>>, names: readonly string[]): CapabilityRoutes {
  const rows = Object.values(routes)
  return Object.fromEntries(names.map((name) => [name, rows.filter(({ capability }) => capability === name)]))
}
