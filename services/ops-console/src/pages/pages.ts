/** Every page of the console that requires a signed-in operator. */

import type { ConsolePage } from '../http/console-page.ts'
import { auditPage } from './audit.ts'
import { grantsExport, operationsExport } from './export.ts'
import { grantPage } from './grant.ts'
import { grantsPage } from './grants.ts'
import { operationPage } from './operation.ts'
import { operationsPage } from './operations.ts'
import { overviewPage } from './overview.ts'
import { providerPage } from './provider.ts'
import { searchPage } from './search.ts'
import { suspendForm, suspendPage } from './suspend.ts'
import { suspendClientForm, suspendClientPage } from './suspend-client.ts'
import { writesPage } from './writes.ts'

export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  operationsPage,
  operationPage,
  grantsPage,
  grantPage,
  suspendPage,
  suspendForm,
  suspendClientPage,
  suspendClientForm,
  auditPage,
  providerPage,
  writesPage,
  searchPage,
  operationsExport,
  grantsExport,
]
