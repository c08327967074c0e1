/**
 * The reason why a page cannot continue. It is thrown at the place of the fault and shown as an error page, which says
 * what to do.
 */

import { currentContext } from '@financial-agents/runtime/context'
import { type ErrorFacts, errorView } from './views/error.ts'
import type { View } from './views/view.ts'

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly view: View

  constructor(facts: ErrorFacts) {
    super(facts.title)
    this.view = errorView({ ...facts, requestId: currentContext()?.requestId })
  }
}

export const refusals = {
  staleInteraction: () =>
    new PageRefusal({
      title: 'This request is over',
      explanation: 'It has expired, was already answered, or was started in another browser.',
      whatToDo: 'Go back to the application and start again from there, in this browser.',
      code: 'interaction_not_found',
    }),
  forgedForm: () =>
    new PageRefusal({
      status: 403,
      title: 'This form could not be accepted',
      explanation: 'It was not sent from our page in this browser, or the page had been open for too long.',
      whatToDo: 'Open the page again and repeat what you wanted to do. Nothing was changed.',
      code: 'form_not_accepted',
    }),
  badForm: (status = 400) =>
    new PageRefusal({
      status,
      title: 'This form could not be read',
      explanation: 'What the browser sent is not what our page asks for.',
      whatToDo: 'Open the page again and repeat what you wanted to do. Nothing was changed.',
      code: 'form_not_readable',
    }),
  notFound: () =>
    new PageRefusal({
      status: 404,
      title: 'There is no such page',
      explanation: 'The address is wrong, or what it led to is over.',
      whatToDo: 'Check the address, or go to your account page.',
      code: 'route_not_found',
    }),
  wrongMethod: () =>
    new PageRefusal({
      status: 405,
      title: 'This address cannot be opened like that',
      explanation: 'It only takes what a form of ours sends, or only shows a page.',
      whatToDo: 'Start from the page before it, or from your account page.',
      code: 'method_not_allowed',
    }),
  unknownSignIn: () =>
    new PageRefusal({
      title: 'This sign-in is over',
      explanation: 'It has expired, was used before, or was started in another browser.',
      whatToDo: 'Start again from where you came: the application, or your account page.',
      code: 'sign_in_not_found',
    }),
  signInExpired: () =>
    new PageRefusal({
      title: 'The sign-in took too long',
      explanation: 'Its time was over before we heard that you approved it.',
      whatToDo: 'Go back to where you came from and start again.',
      code: 'sign_in_expired',
    }),
  signInPending: () =>
    new PageRefusal({
      status: 409,
      title: 'You are not signed in yet',
      explanation: 'Your provider says that you have not approved the sign-in.',
      whatToDo: 'Approve it at your provider, then reload this page.',
      code: 'sign_in_pending',
    }),
  signInDeclined: () =>
    new PageRefusal({
      status: 403,
      title: 'You are not signed in',
      explanation: 'The sign-in was declined at your provider.',
      whatToDo: 'If you want to go on, start again from your account page.',
      code: 'sign_in_declined',
    }),
  signInNotAvailable: () =>
    new PageRefusal({
      status: 503,
      title: 'Signing in is not available',
      explanation:
        'Signing in with a live provider is not part of this release. It works with the development provider only.',
      whatToDo: 'Nothing can be done here. This changes nothing for applications that the operator set up for you.',
      code: 'sign_in_not_available',
    }),
  providerUnreachable: () =>
    new PageRefusal({
      status: 503,
      title: 'You cannot sign in right now',
      explanation: 'Your provider, or the part of our system that asks it, does not answer.',
      whatToDo: 'Try again in a minute. Nothing was changed.',
      code: 'provider_unavailable',
    }),
  clientGone: () =>
    new PageRefusal({
      status: 403,
      title: 'This application cannot be used now',
      explanation: 'It was suspended or removed after you started.',
      whatToDo: 'Ask whoever runs the application. It has got no access from you here.',
      code: 'client_suspended',
    }),
  signedOut: () =>
    new PageRefusal({
      status: 403,
      title: 'You are no longer signed in',
      explanation: 'You were signed out, nothing happened for an hour, or you signed in more than twelve hours ago.',
      whatToDo: 'Go back to where you came from and start again. Nothing was changed.',
      code: 'signed_out',
    }),
  signInAgain: () =>
    new PageRefusal({
      status: 403,
      title: 'Please sign in again first',
      explanation: 'This application’s access was suspended after you signed in.',
      whatToDo: 'Go back to the application and start again; you will be asked to sign in.',
      code: 'sign_in_again',
    }),
  signInToRaise: () =>
    new PageRefusal({
      status: 403,
      title: 'Please sign in again first',
      explanation: 'A limit is raised or added only within five minutes after you sign in. Nothing was changed.',
      whatToDo: 'Open “Change limits” on your account page, sign in from there, and write your limits again.',
      code: 'sign_in_again',
    }),
  intentNotFound: () =>
    new PageRefusal({
      status: 404,
      title: 'There is nothing to confirm here',
      explanation:
        'This request does not exist any more, or it is about the money of somebody else than the person signed in.',
      whatToDo: 'Check that you are signed in as the right person, or let the application ask again.',
      code: 'confirmation_not_found',
    }),
  mandatesOutOfReach: () =>
    new PageRefusal({
      status: 503,
      title: 'The repeated payments cannot go on yet',
      explanation:
        'A part of our system does not answer. What else you allowed may hold already; the application has not been told of it.',
      whatToDo:
        'Go back and allow it again in a minute, or leave the repeated payments out. To take back what you allowed, end the access on your account page.',
      code: 'service_unavailable',
    }),
  unavailable: () =>
    new PageRefusal({
      status: 503,
      title: 'This cannot be shown now',
      explanation: 'A part of our system, or your provider, does not answer.',
      whatToDo:
        'Try again in a minute. If you just sent a form, look at your account page first to see what became of it.',
      code: 'service_unavailable',
    }),
  failed: () =>
    new PageRefusal({
      status: 500,
      title: 'Something went wrong on our side',
      explanation: 'This was not your fault, and it has been recorded.',
      whatToDo:
        'Try again in a minute. If you just sent a form, look at your account page first to see what became of it.',
      code: 'internal_error',
    }),
} as const
