/** The grant of a connection in the fake provider's words. The credentials name the grant. */

import type { KindRow } from './kinds.ts'

export const transferGrantRevoke: KindRow = {
  path: () => '/provider/connection/withdraw',
  findBody: (reference) => ({ client_reference: reference }),
  collection: '/provider/connection',
  read: 'grant_listing',
  proof: 'action',
  absorbing: 'withdrawn',
}
