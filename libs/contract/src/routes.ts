/** The route table: every row of the API. The row's name is the handler's file, the bus subject and the operationId. */

import type { Route } from './route.ts'
import { beneficiariesRoutes } from './routes/beneficiaries.ts'
import { operationsRoutes } from './routes/operations.ts'
import { systemRoutes } from './routes/system.ts'

export const routes = {
  ...systemRoutes,
  ...operationsRoutes,
  ...beneficiariesRoutes,
} satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export type { beneficiariesRoutes, operationsRoutes, systemRoutes }
