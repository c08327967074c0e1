/**
 * The answers of the token endpoint to the grants that never yield an ID token (RFC 6749, 5; RFC 9449, 5). The code flow leaves its
 * answer to the library, which validates the ID token.
 */

import { learnTime, noAnswer } from '../http.ts'
import { resultOf } from '../oauth-failure.ts'
import { hasType, isObject, parsed } from '../own-answer.ts'

/** Tokens as the server gave them. */
export type TokenAnswer = {
  readonly access_token: string
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope?: string
}

/** A refusal of the authorization server. It has the shape of the library's `ResponseBodyError`. */
export class OAuthRefusal extends Error {
  readonly error: string
  readonly error_description: string | undefined
  readonly response: Response

  constructor(response: Response, body: { error?: unknown; error_description?: unknown }) {
    super('the authorization server refused')
    this.error = typeof body.error === 'string' ? body.error : `http_${response.status}`
    this.error_description = typeof body.error_description === 'string' ? body.error_description : undefined
    this.response = response
  }
}

/** The JSON of a successful answer. @throws OAuthRefusal */
export async function jsonFrom<Answer>(response: Response): Promise<Answer> {
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer(error)
  })
  const body = parsed(text)
  const isAnswer = response.status === 200 && hasType(response, 'application/json') && isObject(body)
  if (!isAnswer) throw new OAuthRefusal(response, isObject(body) ? body : {})
  return body as Answer
}

/**
 * Sends a request to the token endpoint; sends it again if the server first wants its nonce in the proof.
 *
 * @throws OAuthRefusal, or what `send` throws
 */
export async function tokensFrom(send: () => Promise<Response>, isFirst = true): Promise<TokenAnswer> {
  const response = await send()
  try {
    const answer = await jsonFrom<TokenAnswer & { token_type?: unknown }>(response)
    // A token that is not bound to the key would be refused everywhere.
    const isBound = typeof answer.access_token === 'string' && /^dpop$/i.test(String(answer.token_type))
    if (!isBound) throw new OAuthRefusal(response, { error: 'no_dpop_token' })
    learnTime(response)
    return answer
  } catch (error) {
    if (resultOf(error)) learnTime(response)
    if (isFirst && (error as OAuthRefusal).error === 'use_dpop_nonce') return tokensFrom(send, false)
    throw error
  }
}
