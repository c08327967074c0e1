/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { signIns } from './migrations/0002_sign_ins.ts'
import { disconnect } from './migrations/0003_disconnect.ts'
import { kyc } from './migrations/0004_kyc.ts'
import { connecting } from './migrations/0005_connecting.ts'
import { signInResponses } from './migrations/0006_sign_in_responses.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_sign_ins': signIns,
  '0003_disconnect': disconnect,
  '0004_kyc': kyc,
  '0005_connecting': connecting,
  '0006_sign_in_responses': signInResponses,
}

/** Bindings end, but their rows stay. */
export const privileges: Privileges = {
  bindings: ['INSERT', 'UPDATE'],
}
