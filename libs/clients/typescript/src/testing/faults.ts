/** The faults that the fake API has, by name. The package for Python has the same ones. */

/** Faults between the client and the API. `accepted`: the API has received the request. */
export const networkFaults = {
  /** The request is lost. */
  request_lost: { accepted: false, answer: 'lost' },
  /** The API has accepted the request, and its answer is lost. */
  answer_lost: { accepted: true, answer: 'lost' },
  /** The API has accepted the request, and its answer breaks off. */
  answer_cut: { accepted: true, answer: 'cut' },
  /** No connection can be opened. */
  no_connection: { accepted: false, answer: 'unsent' },
  /** No answer comes in time. The test does not wait for it. */
  no_answer: { accepted: false, answer: 'late' },
  /** A load balancer or a captive portal answers with a page. */
  portal: { accepted: false, answer: 'page' },
  /** The owner has ended the access, for this call and all later ones. */
  access_ended: { accepted: false, answer: 'ended' },
} as const

/**
 * Faults of the provider, by the names that they have in the sandbox. The write is accepted, and its operation is in this state until
 * `settle` moves it to the state `last`.
 */
export const providerFaults = {
  /** The provider refuses it. */
  refuse: { state: 'failed', failure: 'provider_refused', last: 'failed' },
  /** The provider accepts it, and reports later that it has failed. */
  fail: { state: 'submitted', failure: 'provider_settlement_failed', last: 'failed' },
  /** The provider executes it, and its answer is lost. */
  accept_drop_reply: { state: 'indeterminate', failure: 'provider_connection_lost', last: 'succeeded' },
  /** The provider does not execute it, and the connection breaks. */
  drop_before_accept: { state: 'indeterminate', failure: 'provider_connection_lost', last: 'failed' },
  /** The provider accepts it, and executes it later. */
  settle_later: { state: 'submitted', failure: null, last: 'succeeded' },
} as const
