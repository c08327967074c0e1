/** The services of a stack in one process, from their sources. */

import { join } from 'node:path'
import { servicesFolder } from './programs.ts'
import { runSystem, systemOf } from './system.ts'

const load = (name: string) => import(join(servicesFolder, name, 'src/service.ts'))

export const system = systemOf(load)

if (import.meta.main) await runSystem(load)
