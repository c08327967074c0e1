/**
 * The route table with every row of the API. A row's name is also the name of the handler's file, the bus subject and
 * the operationId.
 */

import type { Route } from './route.ts'
import { accountsRoutes } from './routes/accounts.ts'
import { activityRoutes } from './routes/activity.ts'
import { authorizationRoutes } from './routes/authorization.ts'
import { beneficiariesRoutes } from './routes/beneficiaries.ts'
import { cardsRoutes } from './routes/cards.ts'
import { confirmationRoutes } from './routes/confirmation-intents.ts'
import { identityRoutes } from './routes/identity.ts'
import { kycRoutes } from './routes/kyc.ts'
import { mandatesRoutes } from './routes/mandates.ts'
import { onboardingRoutes } from './routes/onboarding.ts'
import { operationsRoutes } from './routes/operations.ts'
import { operatorRoutes } from './routes/operator.ts'
import { purchasesRoutes } from './routes/purchases.ts'
import { referenceDataRoutes } from './routes/reference-data.ts'
import { servicesRoutes } from './routes/services.ts'
import { spendingRoutes } from './routes/spending.ts'
import { systemRoutes } from './routes/system.ts'
import { transferQuotesRoutes } from './routes/transfer-quotes.ts'
import { transfersRoutes } from './routes/transfers.ts'
import { webhooksRoutes } from './routes/webhooks.ts'

export const routes = {
  ...systemRoutes,
  ...authorizationRoutes,
  ...confirmationRoutes,
  ...identityRoutes,
  ...operationsRoutes,
  ...transfersRoutes,
  ...webhooksRoutes,
  ...onboardingRoutes,
  ...kycRoutes,
  ...accountsRoutes,
  ...activityRoutes,
  ...beneficiariesRoutes,
  ...mandatesRoutes,
  ...cardsRoutes,
  ...spendingRoutes,
  ...transferQuotesRoutes,
  ...purchasesRoutes,
  ...servicesRoutes,
  ...referenceDataRoutes,
  ...operatorRoutes,
} satisfies Record<string, Route>

/** The name of a route, which is also that of its handler, its file and its bus subject. */
export type RouteName = keyof typeof routes
export type {
  authorizationRoutes,
  beneficiariesRoutes,
  cardsRoutes,
  confirmationRoutes,
  identityRoutes,
  mandatesRoutes,
  onboardingRoutes,
  operationsRoutes,
  spendingRoutes,
  systemRoutes,
}
