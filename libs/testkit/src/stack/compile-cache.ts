/** The environment by which processes of Node share compiled code: half of their start is to strip and compile sources. */

import { join } from 'node:path'
import { cacheFolder } from '@financial-agents/servers/cache'

/** Variables for a process of Node. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }
