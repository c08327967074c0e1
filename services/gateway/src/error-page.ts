/**
 * The page for a person whose requested page is not available. It says what happened, what to do, and which request id
 * to give to support. It contains nothing else of the request.
 */

import type { Problem } from '@financial-agents/contract/problem'
import { type ProblemCode, problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { type ErrorFacts, errorPage } from '@financial-agents/pages/error-page'
import { renderPage } from '@financial-agents/pages/page'

type Words = Pick<ErrorFacts, 'title' | 'explanation' | 'whatToDo'>

const away: Words = {
  title: 'This page is not available right now',
  explanation: 'A part of the service that this page needs did not answer.',
  // The form may have been processed, because the answer may have been lost.
  whatToDo: 'Wait a moment, then load the page again. If you had just sent a form, look whether it was taken first.',
}

const malformed: Words = {
  title: 'The request could not be read',
  explanation: 'What your browser sent was not complete or not well-formed.',
  whatToDo: 'Go back to the application that sent you here and start again.',
}

const words: Partial<Record<ProblemCode, Words>> = {
  rate_limited: {
    title: 'Too many requests',
    explanation: 'More pages were asked for from your network than we answer at a time.',
    whatToDo: 'Wait a few seconds, then load the page again.',
  },
  route_not_found: {
    title: 'There is no such page',
    explanation: 'The address does not lead to a page of this service.',
    whatToDo: 'Check the address, or go back to the application that sent you here and start again.',
  },
  payload_too_large: {
    title: 'The form is too large',
    explanation: 'More was sent than this page takes.',
    whatToDo: 'Go back, shorten what you entered, and send it again.',
  },
  request_timeout: {
    title: 'The form did not arrive in time',
    explanation: 'The connection was too slow or broke while the form was being sent.',
    whatToDo: 'Go back and send it again.',
  },
}

/** Renders the page as HTML. */
export function renderErrorPage(problem: Problem, requestId: string): string {
  const { status } = problemCatalogue[problem.code]
  const said = words[problem.code] ?? (status >= 500 ? away : malformed)
  return renderPage(errorPage({ ...said, code: problem.code, requestId }))
}
