/**
 * The answer of every OAuth endpoint while a part of the server is out of reach, whichever part says so. RFC 6749 defines the code
 * only for the authorization endpoint. Assertions and proofs are good once, so a repeated request has new ones.
 */
export const oauthUnavailable = {
  error: 'temporarily_unavailable',
  error_description:
    'a part of the server is out of reach: ask again after a moment, with a new assertion and a new proof',
} as const

/** Whole seconds, for `Retry-After`. */
export const oauthRetryAfterS = 1
