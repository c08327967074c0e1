/** The migrations of the schema `authz`, by name. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { humanGrants } from './migrations/0002_human_grants.ts'
import { operators } from './migrations/0003_operators.ts'
import { serviceBindings } from './migrations/0004_service_bindings.ts'
import { ownerLabels } from './migrations/0005_owner_labels.ts'
import { grantsByTime } from './migrations/0006_grants_by_time.ts'
import { clientLogos } from './migrations/0007_client_logos.ts'
import { wordsForOwners } from './migrations/0008_words_for_owners.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_human_grants': humanGrants,
  '0003_operators': operators,
  '0004_service_bindings': serviceBindings,
  '0005_owner_labels': ownerLabels,
  '0006_grants_by_time': grantsByTime,
  '0007_client_logos': clientLogos,
  '0008_words_for_owners': wordsForOwners,
}

/** Audit rows are inserted and never changed. Clients, owners and grants end, but their rows stay. */
export const privileges: Privileges = {
  audit: ['INSERT'],
  clients: ['INSERT', 'UPDATE'],
  grants: ['INSERT', 'UPDATE'],
  owners: ['INSERT', 'UPDATE'],
}
