/** The status of a person's identity check, in the names of `GET /v1/kyc`. The evidence stays with the provider. */

import { kycStatus } from '@financial-agents/contract/schemas/kyc'
import { z } from 'zod'
import { code, type DataOf, timestamp } from './primitives.ts'

export const identityStatus = z
  .object({
    status: z.enum(kycStatus.options).describe('The status of the check. `expired`: the check has to be made again.'),
    reason_code: code.nullable().describe('The reason why it was rejected or has expired.'),
    updated_at: timestamp.describe('The time of the last change.'),
  })
  .describe('The status of the check of the person’s identity, without any evidence.')

export type IdentityStatus = DataOf<typeof identityStatus>
