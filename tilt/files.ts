/** Where the development environment of a cluster keeps what it made on this machine. Nothing of it is tracked by git. */

import { join } from 'node:path'

/** Keys and Secrets, made once: a second `tilt up` finds the same. Remove it for new ones. */
export const folder = join(import.meta.dirname, '../.tilt')

/** As `.dev/stack.json` of `pnpm dev`: addresses and clients, for scripts, `pnpm sign-in --stack` and the walk. */
export const stackFile = join(folder, 'stack.json')
