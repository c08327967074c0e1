/** The dependencies of the pages' frame and of the sign-in. */

import type { Branding } from '@financial-agents/pages/branding'
import type { FormTokens } from '@financial-agents/pages/tunnel/form-token'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { AskGateway } from '../api/gateway-client.ts'
import type { ConsoleConfig } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OutsideLinks } from '../pages/outside-links.ts'
import type { GroupScopes } from '../sign-in/group-scopes.ts'
import type { IdentityProvider } from '../sign-in/identity-provider.ts'
import type { createBrowserSecret, Sessions } from '../sign-in/sessions.ts'

export type ConsoleTools = Dependencies & {
  /** The origin of the API. */
  publicUrl: string
  /** The origin of the console's own pages. */
  consoleUrl: string
  links: OutsideLinks
  /** True if a second person confirms that all grants of a client are suspended. */
  suspendsClientsByTwo: boolean
  environment: ConsoleConfig['ENVIRONMENT']
  branding: Branding
  formTokens: FormTokens<'session' | 'browser'>
  sealer: Sealer
  sessions: Sessions
  browserSecret: ReturnType<typeof createBrowserSecret>
  identityProvider: IdentityProvider
  groupScopes: GroupScopes
  askGateway: AskGateway
}
