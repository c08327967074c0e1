/** Starts the reconciler. */

import { runService } from '@financial-agents/runtime/service'
import { reconcilerConfig } from './config.ts'
import { startReconciler } from './start.ts'

await runService({ name: 'reconciler', config: reconcilerConfig, start: (parts) => startReconciler(parts) })
