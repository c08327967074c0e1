/** The services of a stack in one process, from their sources. */

import { join } from 'node:path'
import { servicesFolder } from './programs.ts'
import { runSystem } from './system.ts'

await runSystem((name) => import(join(servicesFolder, name, 'src/service.ts')))
