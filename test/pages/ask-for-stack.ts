/** Before each file of this folder: the stack is there. */

import { askForStack } from './environment.ts'

await askForStack()
