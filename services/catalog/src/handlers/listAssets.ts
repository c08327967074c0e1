/** GET /v1/reference-data/assets: the provider's assets, the same for everybody and read without credentials. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import { everybody } from '../ids.ts'
import { pageByKey } from '../page-by-key.ts'
import type { Parts } from '../parts.ts'

export function listAssets(parts: Parts): Handlers<typeof referenceDataRoutes>['listAssets'] {
  return async ({ query }, context) => {
    const assets = await parts.referenceReads.assets(context)
    return pageByKey(parts.cursors, { list: 'assets', ownerId: everybody, query }, assets, ({ code }) => code)
  }
}
