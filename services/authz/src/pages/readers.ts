/**
 * Finds the reader of a page. The language is the one that the person chose on the pages, else that of the first page of
 * the visit: of the owner's locale at the provider if an owner is signed in, else of `Accept-Language`. So a sign-in
 * changes no language.
 */

import { choiceOf, choiceOfHeader, type Language } from '@financial-agents/pages/language'
import { createReader, type Reader } from '@financial-agents/pages/reader'
import { languageChoiceS, languageCookie } from '@financial-agents/pages/tunnel/language-choice'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BrowserSessions } from '../browser/browser-session.ts'
import { findOwner, type Owner } from '../store/owners.ts'

type Request = Pick<FastifyRequest, 'headers'>

export type Readers = {
  /** The languages to choose from. */
  languages: readonly Language[]
  /** The reader of a request. `owner`: the owner who is signed in. */
  of: (request: Request, owner?: Pick<Owner, 'locale' | 'timezone'>) => Reader
  /** Reads the owner, then returns the reader. If that fails, or nobody is signed in, the request alone decides. */
  find: (request: Request, ownerId: string | undefined) => Promise<Reader>
  /** The reader of a page that may be written before anything is known of its request, such as an error page. */
  ofSession: (request: Request) => Promise<Reader>
  /** Keeps the language of a page until the browser is closed, if the browser has none yet. */
  keep: (reply: FastifyReply, language: Language) => void
  /** Keeps the reader's choice. Returns false if the language is not offered. */
  choose: (reply: FastifyReply, language: string) => boolean
}

export function createReaders(dependencies: {
  db: Database
  log: Log
  baseUrl: string
  languages: readonly Language[]
  sessions: Pick<BrowserSessions, 'find'>
}): Readers {
  const { db, log, baseUrl, languages, sessions } = dependencies
  const jar = languageCookie(baseUrl)
  const of: Readers['of'] = (request, owner) => {
    const chosen = choiceOf(jar.read(request) ?? '', languages)
    const asked = owner && choiceOf(owner.locale, languages)
    const header = choiceOfHeader(request.headers['accept-language'], languages)
    // A choice names a language alone, so the region comes from the owner or the browser if their language is the same.
    const choice = [asked, header].find((one) => one && (!chosen || one.language === chosen.language))
    return createReader(choice ?? chosen ?? header, owner?.timezone)
  }
  const unknown = (error: unknown) => {
    log.warn({ err: error }, 'a page was written without knowing its owner’s language')
    return undefined
  }
  const find: Readers['find'] = async (request, ownerId) =>
    of(request, ownerId === undefined ? undefined : await findOwner(db, ownerId).catch(unknown))
  return {
    languages,
    of,
    find,
    ofSession: async (request) => find(request, (await sessions.find(request).catch(unknown))?.ownerId),
    keep: (reply, language) => {
      const { headers } = reply.request
      // Every browser sends `Accept-Language`. Other programs visit nothing.
      if (headers['accept-language'] !== undefined && jar.read({ headers }) === undefined) jar.write(reply, language)
    },
    choose: (reply, language) => {
      const isOffered = languages.some((one) => one === language)
      if (isOffered) jar.write(reply, language, languageChoiceS)
      return isOffered
    },
  }
}
