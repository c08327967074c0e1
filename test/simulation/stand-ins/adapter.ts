/** Stands in for `@financial-agents/provider-reads/adapter`: the virtual provider instead of one over HTTP. */

import type { Provider } from '@financial-agents/provider/port'
import { getOpener } from '../virtual/current.ts'

export function createAdapter(): Provider {
  return getOpener().provider()
}
