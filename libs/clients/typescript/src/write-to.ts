/**
 * Durable writes by path, for programs that know the API's paths, and for routes that this version of the client does
 * not know.
 */

import type { WriteOptions } from './call-options.ts'
import type { Core } from './core.ts'
import type { Operation } from './generated/types.ts'
import { rowFor } from './request-log.ts'
import { write } from './write.ts'

/** Writes to a path. If a method of the client has this path, the result is the same as of that method. */
export function writeTo(core: Core, path: string, body: object | undefined, options: WriteOptions): Promise<Operation> {
  const known = rowFor('POST', path)
  const row = known?.keyed ? known : ({ method: 'POST', path, keyed: true } as const)
  return write(core, row, { path, body }, options)
}
