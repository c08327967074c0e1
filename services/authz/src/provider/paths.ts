/** The paths of the authorization server, below the environment's origin. */

import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'

export const paths = {
  openidConfiguration: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: '/.well-known/oauth-protected-resource',
  authorization: '/oauth/authorize',
  pushedRequest: '/oauth/par',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  deviceAuthorization: '/oauth/device',
  jwks: '/oauth/jwks',
  /** The page on which a person enters the code that a device shows. */
  device: pagePaths.device,
} as const

/** The path at which a browser gets the answer to an authorization again. */
export const answerPath = (uid: string) => pathTo(pagePaths.interactionAnswer, { uid })

/** The page of an authorization that waits for its owner. */
export const interactionPath = (uid: string) => pathTo(pagePaths.interaction, { uid })
