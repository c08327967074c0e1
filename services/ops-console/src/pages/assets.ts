/** Files that the pages load. */

import type { Asset } from '../http/console-page.ts'

export const assets: readonly Asset[] = []
