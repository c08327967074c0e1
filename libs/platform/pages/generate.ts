/** The module of the pages' messages, from the catalogue of each language. */

import { messagesModule } from './src/messages-module.ts'

export const documents = { 'libs/platform/pages/src/generated/catalogues.ts': messagesModule }
