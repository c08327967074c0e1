/**
 * The OpenID library, configured as an organisation would: code flow with PKCE, one client, RS256, and ID tokens with
 * name and groups. It asks for no consent, and all data ends with the process.
 */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type ClientMetadata, type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createMemory } from './memory.ts'
import { errorPage } from './pages.ts'
import { findPerson } from './people.ts'

export type Registration = { clientId: string; clientSecret: string | undefined; redirectUris: readonly string[] }

/** A name of its own: cookies do not distinguish ports, and other parts of the stack use the same host. */
export const sessionCookie = 'idp_session'

export const signInPath = '/sign-in'

export function createIdentityProvider(issuer: string, registration: Registration): Provider {
  const provider = new Provider(issuer, configuration(registration))
  // Addresses come from the issuer: the server overwrites the requested host before a request arrives here.
  provider.proxy = true
  return provider
}

function configuration(registration: Registration): Configuration {
  return {
    adapter: createMemory(),
    jwks: { keys: [createSigningKey()] },
    clients: [clientMetadata(registration)],
    clientAuthMethods: ['client_secret_post', 'none'],
    responseTypes: ['code'],
    scopes: ['openid', 'profile'],
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: { session: sessionCookie, interaction: 'idp_interaction', resume: 'idp_resume' },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    interactions: { url: (_ctx, interaction) => `${signInPath}/${interaction.uid}` },
    loadExistingGrant: grantWhatIsAsked,
    findAccount: (_ctx, subject) => {
      const person = findPerson(subject)
      if (!person) return undefined
      const { name, groups } = person
      return { accountId: subject, claims: async () => ({ sub: subject, name, groups: [...groups] }) }
    },
    clientBasedCORS: () => false,
    renderError: (ctx, { error }) => {
      ctx.type = 'html'
      for (const [name, value] of Object.entries(errorPage.headers)) ctx.set(name, value)
      ctx.body = errorPage.text(error)
    },
  }
}

function clientMetadata({ clientId, clientSecret, redirectUris }: Registration): ClientMetadata {
  return {
    client_id: clientId,
    client_name: "Operators' console",
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    ...(clientSecret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_post', client_secret: clientSecret }),
  }
}

/** Grants all requested scopes: for an organisation's own application, signing in implies consent. */
async function grantWhatIsAsked(ctx: KoaContextWithOIDC) {
  const { client, session, provider, requestParamOIDCScopes } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope([...requestParamOIDCScopes].join(' '))
  await grant.save()
  return grant
}

function createSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'RS256', use: 'sig' }
}
