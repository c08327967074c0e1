/** The local files of the development environment in a cluster. Git tracks none of them. */

import { join } from 'node:path'

/** The folder of keys and Secrets. They are created once, so that a second `tilt up` finds the same. Remove it to create new ones. */
export const folder = join(import.meta.dirname, '../.tilt')

/** Addresses and clients for scripts, `pnpm sign-in --stack` and the flow, as `.dev/stack.json` of `pnpm dev`. */
export const stackFile = join(folder, 'stack.json')
