/**
 * Connections: the permission by which an application acts for a test user, one for each credentials. A revoked
 * connection still permits all reads and no instructions. The person's next approval creates a new connection.
 */

import { createStateful, type Stateful } from './stateful.ts'
import { findTestUserOf, type TestUser } from './test-users.ts'

export type ConnectionState = 'active' | 'revoked'

export type Connection = {
  readonly ref: string
  readonly testUser: TestUser
  readonly standing: Stateful<ConnectionState, 'revoke'>
}

export type Connections = {
  /** Returns the connection that an `Authorization` header names. */
  find(authorization: string | undefined): Connection | undefined
  /** Replaces a revoked connection after the person has approved again. */
  reopen(credentials: string): void
}

const moves = { revoke: { active: 'revoked', revoked: 'revoked' } } as const

export function createConnections(): Connections {
  const byCredentials = new Map<string, Connection>()
  let nextNumber = 1
  const open = (testUser: TestUser): Connection => ({
    ref: `con_${(nextNumber++).toString(36).padStart(8, '0')}`,
    testUser,
    standing: createStateful<ConnectionState, 'revoke'>('active', moves, () => undefined),
  })
  return {
    find(authorization) {
      const credentials = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
      const known = byCredentials.get(credentials)
      if (known !== undefined) return known
      const testUser = findTestUserOf(credentials)
      if (testUser === undefined) return undefined
      const connection = open(testUser)
      byCredentials.set(credentials, connection)
      return connection
    },
    reopen(credentials) {
      if (byCredentials.get(credentials)?.standing.state() === 'revoked') byCredentials.delete(credentials)
    },
  }
}
