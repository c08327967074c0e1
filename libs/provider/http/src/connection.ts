/** The grant of a connection in the words of the Provider API. The credentials name the grant. */

import type { KindRow } from './kinds.ts'

export const transferGrantRevoke: KindRow = {
  call: 'withdrawConnection',
  findBody: (reference) => ({ client_reference: reference }),
  search: 'findConnections',
  read: 'grant_listing',
  proof: 'action',
  absorbing: 'withdrawn',
}
