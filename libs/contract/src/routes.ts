/** The route table: every row of the API. The row's name is the handler's file, the bus subject and the operationId. */

import type { Route } from './route.ts'
import { authorizationRoutes } from './routes/authorization.ts'
import { beneficiariesRoutes } from './routes/beneficiaries.ts'
import { cardsRoutes } from './routes/cards.ts'
import { confirmationRoutes } from './routes/confirmation-intents.ts'
import { identityRoutes } from './routes/identity.ts'
import { mandatesRoutes } from './routes/mandates.ts'
import { onboardingRoutes } from './routes/onboarding.ts'
import { operationsRoutes } from './routes/operations.ts'
import { spendingRoutes } from './routes/spending.ts'
import { systemRoutes } from './routes/system.ts'

/** The route table. */
export const routes = {
  ...systemRoutes,
  ...authorizationRoutes,
  ...confirmationRoutes,
  ...identityRoutes,
  ...operationsRoutes,
  ...onboardingRoutes,
  ...beneficiariesRoutes,
  ...mandatesRoutes,
  ...cardsRoutes,
  ...spendingRoutes,
} satisfies Record<string, Route>

/** The name of a route: of its handler, its file and its bus subject. */
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
