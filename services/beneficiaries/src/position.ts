/** Where a list that is newest first goes on: after this row. */

import { z } from 'zod'

export const position = z.strictObject({ created_at: z.iso.datetime(), id: z.guid() })

export type Position = z.output<typeof position>
