/** Every page of the console that needs somebody signed in. */

import type { ConsolePage } from '../http/console-page.ts'
import { overviewPage } from './overview.ts'

export const consolePages: readonly ConsolePage[] = [overviewPage]
