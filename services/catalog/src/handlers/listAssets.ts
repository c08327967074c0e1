/** GET /v1/reference-data/assets: the provider's assets, the same for everybody and read without credentials. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import type { Dependencies } from '../dependencies.ts'
import { everybody } from '../ids.ts'
import { pageByKey } from '../page-by-key.ts'

export function listAssets(dependencies: Dependencies): Handlers<typeof referenceDataRoutes>['listAssets'] {
  return async ({ query }, context) => {
    const assets = await dependencies.referenceReads.assets(context)
    return pageByKey(dependencies.cursors, { list: 'assets', ownerId: everybody, query }, assets, ({ code }) => code)
  }
}
