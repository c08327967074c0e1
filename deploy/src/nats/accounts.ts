/**
 * The accounts, users and permissions for NATS servers that take the users' public keys from their environment. Every user has two
 * keys: the second is nobody's until the first is being replaced.
 */

import { accountsConfig, fromEnvironment, type PublicKeys, renderAccounts } from '@financial-agents/bus/server-config'
import { userNames } from '@financial-agents/bus/topology'
import { publicKeyVariables } from '../secrets/names.ts'

const publicKeys = Object.fromEntries(
  userNames.map((name) => [name, publicKeyVariables(name).map(fromEnvironment)]),
) as unknown as PublicKeys

/** For `config.merge` of the official chart: it writes JSON, and what stands between `<<` and `>>` without quotes. */
export const chartAccounts = accountsConfig(publicKeys)

/** A file to be included by a server's configuration. */
export function accountsFile(): string {
  return `# Written by \`pnpm gen\` from libs/bus/src/topology.ts; change it there.\n${renderAccounts(publicKeys)}`
}
