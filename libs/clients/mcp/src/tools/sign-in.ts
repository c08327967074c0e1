/** The tool that signs the owner in. Every other tool also asks for the sign-in if it is the first to need one. */

import { ApiProblem, ClientError } from '@financial-agents/client'
import { answer } from '../answer.ts'
import { objectOf } from '../json-schema.ts'
import type { Tool } from '../tool.ts'

/** Signs the owner in, unless that is done. */
export const signIn: Tool = {
  name: 'sign_in',
  title: 'Sign in',
  description:
    'Connects this agent to its owner. The owner signs in and consents on a page of ours. Does nothing if the owner is signed in. After the owner has ended the access, ask the person before you call it.',
  scopes: [],
  kind: 'sign_in',
  destructive: false,
  input: objectOf({}),
  run: async (_args, { signal }, { agent, desk }) => {
    try {
      // A read signs in if nobody has. If the API refuses the read because of the scope, the token is valid.
      await agent.authorization.get({ signal })
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'insufficient_scope')
        return answer('ok', { message: 'Signed in.' })
      if (!(error instanceof ClientError) || error.code !== 'access_ended') throw error
      await desk.signIn(agent, signal)
    }
    return answer('ok', { message: 'Signed in.' })
  },
}
