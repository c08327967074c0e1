/** Services, and the uses that the grant's effective policy allows. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { id } from './primitives.ts'
import { ids } from './story.ts'
import { operationAvailability } from './system.ts'

/** A use of a service, and if the grant allows it. */
const serviceCapability = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_.]*$/)
      .describe('The capability.'),
    available: z
      .boolean()
      .describe(
        "True if the capability is available in this environment, and the owner's provider offers at least one of its operations.",
      ),
    reason_code: z.string().nullable().describe('The reason why it is not available; null if it is.'),
    required_scopes: z.array(z.string()).describe('The scopes that a grant needs for it.'),
    granted: z.boolean().describe('True if it is available and the grant has every required scope.'),
    operations: z
      .array(operationAvailability)
      .describe(
        "The kinds of operations that requests of this capability start, with their availability at the owner's provider. Empty for reads.",
      ),
  })
  .register(documented, { id: 'ServiceCapability' })

/** A service as clients see it. */
export const service = z
  .strictObject({
    id: id.describe('The service.'),
    name: z.string().describe('The display name.'),
    category: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('The kind of service.'),
    capabilities: z.array(serviceCapability).describe('The capabilities of the service.'),
    documentation_url: z.url().nullable().describe('The address of further documentation.'),
  })
  .register(documented, {
    id: 'Service',
    examples: [
      {
        id: ids.service,
        name: 'Mobile top-up',
        category: 'top_up',
        capabilities: [
          {
            name: 'purchases.quote',
            available: true,
            reason_code: null,
            required_scopes: ['purchases:read'],
            operations: [],
            granted: true,
          },
        ],
        documentation_url: null,
      },
    ],
  })

export type Service = z.output<typeof service>
