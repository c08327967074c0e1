/**
 * A refusal that must not go back to the client by a redirect: a page for browsers, and JSON for all others. It
 * contains the library's message and the OAuth code, and repeats nothing that was sent.
 */

import { currentContext } from '@financial-agents/runtime/context'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { type ErrorFacts, errorView } from '../pages/views/error.ts'
import type { Environment } from '../pages/views/view.ts'
import { show } from './show.ts'

type Refusal = { error: string; error_description?: string | undefined }

type Words = Pick<ErrorFacts, 'title' | 'explanation' | 'whatToDo'>

const startAgain = 'Go back to the application and start again from there.'

const known: Readonly<Record<string, Words>> = {
  invalid_client: {
    title: 'This application is not known here',
    explanation: 'It is not registered, or its registration was suspended.',
    whatToDo: 'Ask whoever runs the application. Nothing was shared with it.',
  },
  invalid_redirect_uri: {
    title: 'This request cannot be answered safely',
    explanation: 'The application asked for the answer at an address that is not registered for it.',
    whatToDo: 'Ask whoever runs the application. Nothing was shared with it.',
  },
  invalid_request_uri: {
    title: 'This request is over',
    explanation: 'It has expired, or was already answered.',
    whatToDo: startAgain,
  },
  temporarily_unavailable: {
    title: 'This is not possible right now',
    explanation: 'A part of our service cannot be reached.',
    whatToDo:
      'Try again in a minute. If you just sent a form, look at your account page first to see what became of it.',
  },
  server_error: {
    title: 'Something went wrong here',
    explanation: 'The request could not be completed because of an error of ours.',
    whatToDo: 'Try again in a minute. If it happens again, ask for help with the request number below.',
  },
}

const request: Words = {
  title: 'This request cannot go on',
  explanation:
    'The application sent something that is not right, the request has expired, or it began in another browser.',
  whatToDo: `${startAgain} If it happens again, ask whoever runs the application.`,
}

export function showError(ctx: KoaContextWithOIDC, refusal: Refusal, environment: Environment): void {
  if (ctx.status < 400) ctx.status = 400
  ctx.set('cache-control', 'no-store')
  if (!ctx.accepts('html')) {
    ctx.body = refusal
    return
  }
  const words = known[refusal.error] ?? request
  const requestId = currentContext()?.requestId
  show(ctx, errorView({ ...words, code: refusal.error, requestId, status: ctx.status }), environment)
}
