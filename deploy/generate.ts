/** The files of an installation that derive from the tables. */

import { join } from 'node:path'
import { chartReadme } from './src/chart-readme.ts'
import { dashboard } from './src/dashboard.ts'
import { metricsDocument } from './src/metrics-document.ts'
import { accountsFile } from './src/nats/accounts.ts'
import { natsChartValues } from './src/nats/chart-values.ts'
import { objectivesDocument } from './src/objectives/document.ts'
import { objectiveRules } from './src/objectives/rules.ts'
import { rolesScript } from './src/postgres/roles-script.ts'
import { defaultPrefix } from './src/secrets/names.ts'

export const documents = {
  'deploy/nats/values.yaml': () => natsChartValues(defaultPrefix),
  'helm/financial-agents-api/files/nats-accounts.conf': accountsFile,
  'helm/financial-agents-api/files/roles.sql': rolesScript,
  'deploy/metrics.md': metricsDocument,
  'deploy/guide/objectives.md': objectivesDocument,
  'helm/financial-agents-api/files/objectives.yaml': objectiveRules,
  'helm/financial-agents-api/files/dashboard.json': dashboard,
  'helm/financial-agents-api/README.md': () => chartReadme(join(import.meta.dirname, '../helm/financial-agents-api')),
}
