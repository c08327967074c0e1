/** Asks for the stack before each file of this folder. */

import { askForStack } from './environment.ts'

await askForStack()
