/** The document of the API that a provider offers, from its table of calls. */

import { providerDocument } from './src/openapi/document.ts'

export const documents = {
  'libs/provider/http/generated/openapi.json': () => JSON.stringify(providerDocument(), null, 2),
}
