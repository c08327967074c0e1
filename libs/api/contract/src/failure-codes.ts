/** The closed list of an operation's `failure_code` values, each with the text of its page. */

/** Every `failure_code` of an operation, with a sentence for people. */
export const failureCodes = {
  operation_kind_unsupported: 'The provider adapter does not carry this kind of operation. Nothing was sent.',
  submission_invalid: 'The request could not be put into the form the provider takes. Nothing was sent.',
  submission_expired:
    'The provider did not execute the request before its deadline, and will never execute it. Nothing was executed. A new request with a new key is safe.',
  provider_unreachable: 'The provider could not be reached and nothing was sent. A new request with a new key is safe.',
  provider_refused: 'The provider refused the request. Nothing was executed.',
  provider_rejected_details: 'The provider refused the details. Correct them and send a new request with a new key.',
  provider_authentication_failed: 'The provider did not accept the connection. The owner has to connect again.',
  provider_identity_required:
    'The provider requires the owner to verify their identity first. Nothing was executed. GET /v1/kyc shows the status.',
  provider_settlement_failed: 'The provider accepted the request and later reported that it had failed.',
  authority_withdrawn:
    'The grant, client, connection or mandate was withdrawn, or its time was over, before anything was sent.',
  approval_declined: 'The owner declined the approval at the provider. Nothing was sent.',
  approval_expired: 'The approval at the provider was not given in time. Nothing was sent.',
  provider_timeout:
    'The provider did not answer in time. It may have accepted the request; reads will show the outcome.',
  provider_connection_lost: 'The connection broke before the answer came. The provider may have accepted the request.',
  provider_error: 'The provider answered with an error that does not say whether it accepted the request.',
  provider_response_invalid: 'The provider answered in a form that does not say whether it accepted the request.',
  attempt_interrupted: 'The attempt ended without an outcome. The provider may have accepted the request.',
  provider_evidence_ambiguous: 'The provider gave contradicting answers about the request. An operator looks at it.',
  provider_record_missing:
    'The provider accepted the request and its reads no longer show it. Reads go on, and an operator looks at it.',
} as const

export type FailureCode = keyof typeof failureCodes

/** All failure codes, in the form that a schema needs. */
export const failureCodeNames = Object.keys(failureCodes) as [FailureCode, ...FailureCode[]]
