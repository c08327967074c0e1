/** The route table: every row of the API. The row's name is the handler's file, the bus subject and the operationId. */

import type { Route } from './route.ts'
import { authorizationRoutes } from './routes/authorization.ts'
import { beneficiariesRoutes } from './routes/beneficiaries.ts'
import { confirmationRoutes } from './routes/confirmation-intents.ts'
import { identityRoutes } from './routes/identity.ts'
import { operationsRoutes } from './routes/operations.ts'
import { systemRoutes } from './routes/system.ts'

/** The route table. */
export const routes = {
  ...systemRoutes,
  ...authorizationRoutes,
  ...confirmationRoutes,
  ...identityRoutes,
  ...operationsRoutes,
  ...beneficiariesRoutes,
} satisfies Record<string, Route>

/** The name of a route: of its handler, its file and its bus subject. */
export type RouteName = keyof typeof routes
export type {
  authorizationRoutes,
  beneficiariesRoutes,
  confirmationRoutes,
  identityRoutes,
  operationsRoutes,
  systemRoutes,
}
