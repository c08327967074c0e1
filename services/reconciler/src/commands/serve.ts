/** Starts the reconciler. */

import { serviceCommand } from '@financial-agents/runtime/service'
import { reconcilerConfig } from '../config.ts'
import { startReconciler } from '../start.ts'

export const command = serviceCommand({
  name: 'reconciler',
  config: reconcilerConfig,
  start: (parts) => startReconciler(parts),
})
