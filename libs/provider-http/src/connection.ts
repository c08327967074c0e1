/** The grant of a connection in the words of the Provider API. The credentials name the grant. */

import type { KindRow } from './kinds.ts'

export const transferGrantRevoke: KindRow = {
  path: () => '/provider/v1/connection/withdraw',
  findBody: (reference) => ({ client_reference: reference }),
  collection: '/provider/v1/connection',
  read: 'grant_listing',
  proof: 'action',
  absorbing: 'withdrawn',
}
