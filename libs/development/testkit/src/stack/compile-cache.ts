/**
 * Environment variables with which Node processes share compiled code. Half of their start-up time is spent on
 * stripping and compiling sources.
 *
 * Node stores the code that the first process of a program has compiled, and adds nothing later. A command of a service
 * compiles little of the code that the service needs, so commands have a folder of their own.
 */

import { join } from 'node:path'
import { cacheFolder } from '@financial-agents/servers/cache'

/** Variables for a Node process. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }

/** Variables for a command of a service. */
export const commandCompileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled-commands') }

/**
 * The source of a file that a service preloads. Node stores compiled code only when a process exits, and tests kill
 * services. This file stores the code after a time in which a service has started. The time affects only the speed of
 * later starts.
 */
export const keepCompiled = `setTimeout(() => require('node:module').flushCompileCache(), 4_000).unref()\n`

/** The name of this file, beside a bundle. */
export const keepCompiledFile = 'keep-compiled.cjs'
