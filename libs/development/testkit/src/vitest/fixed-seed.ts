/** Vitest set-up file: fast-check takes the seed of the run. Where a property fails, it prints the seed and the input. */

import fc from 'fast-check'
import { seed } from './deep.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
