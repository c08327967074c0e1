/** Starts beneficiaries. */

import { areaServiceCommand } from '@financial-agents/provider/area-service'
import { beneficiariesConfig } from '../config.ts'
import { startBeneficiaries } from '../start.ts'

export const command = areaServiceCommand({
  name: 'beneficiaries',
  config: beneficiariesConfig,
  start: startBeneficiaries,
})
