/** The grant behind a connection in the fake provider's words; the credentials name it. */

import type { KindRow } from './kinds.ts'

export const transferGrantRevoke: KindRow = {
  path: () => '/provider/connection/withdraw',
  findBody: (reference) => ({ client_reference: reference }),
  collection: '/provider/connection',
  read: 'grant_listing',
  proof: 'action',
  absorbing: 'withdrawn',
}
