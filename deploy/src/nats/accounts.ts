/**
 * The accounts, users and permissions for NATS servers. The servers read the users' public keys from their environment.
 * Every user has two keys; the second is unused except during a rotation.
 */

import { accountsConfig, fromEnvironment, type PublicKeys, renderAccounts } from '@financial-agents/bus/server-config'
import { userNames } from '@financial-agents/bus/topology'
import { publicKeyVariables } from '../secrets/names.ts'

const publicKeys = Object.fromEntries(
  userNames.map((name) => [name, publicKeyVariables(name).map(fromEnvironment)]),
) as unknown as PublicKeys

/**
 * For `config.merge` of the official chart. The chart writes JSON, and writes text between `<<` and `>>` without
 * quotes.
 */
export const chartAccounts = accountsConfig(publicKeys)

/** Returns a file to include in a server's configuration. */
export function accountsFile(): string {
  return `# Written by \`pnpm gen\` from libs/platform/bus/src/topology.ts; change it there.\n${renderAccounts(publicKeys)}`
}
