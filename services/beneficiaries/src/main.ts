/** Starts beneficiaries. */

import { runAreaService } from '@financial-agents/provider/area-service'
import { beneficiariesConfig } from './config.ts'
import { startBeneficiaries } from './start.ts'

await runAreaService({ name: 'beneficiaries', config: beneficiariesConfig, start: startBeneficiaries })
