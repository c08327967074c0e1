/**
 * Environment variables with which Node processes share compiled code. Half of their start-up time is spent on
 * stripping and compiling sources.
 */

import { join } from 'node:path'
import { cacheFolder } from '@financial-agents/servers/cache'

/** Variables for a Node process. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }
