/** The version of the API that the site describes. */

import { document } from './pages-of/document.ts'

export const { version } = document.info as { version: string }
