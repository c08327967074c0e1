/** The program of the service. */

import { runProgram } from '@financial-agents/runtime/program'
import { service } from './service.ts'

runProgram(service.program)
