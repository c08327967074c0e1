/**
 * Environment variables with which Node processes share compiled code. Half of their start-up time is spent on
 * stripping and compiling sources.
 *
 * Node keeps what the first process of a program had compiled by then, and never adds to it. So the commands of a
 * service have a folder of their own: they compile little of what the service itself needs.
 */

import { join } from 'node:path'
import { cacheFolder } from '@financial-agents/servers/cache'

/** Variables for a Node process. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }

/** Variables for a command of a service. */
export const commandCompileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled-commands') }

/**
 * The source of a file that a service preloads. Node keeps compiled code only when a process exits, and tests kill
 * services: this keeps it once the service has surely started. Only the speed of later starts depends on the time.
 */
export const keepCompiled = `setTimeout(() => require('node:module').flushCompileCache(), 4_000).unref()\n`
