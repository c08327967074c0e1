"""The errors that arise in the client itself. Their messages say what to do."""

from .picklable import Picklable


class ClientError(Picklable):
    """An error of the client: not a refusal of the API, which is an `ApiProblem`.

    `code` is one of these; new codes may come:

    - `unreachable`: no answer came. `submission_uncertain` says if the request may have been carried out.
    - `access_ended`: the grant ended: revoked, suspended or expired. Call `agent.sign_in()`.
    - `sign_in_needed`: nobody has signed in in the time of the call.
    - `sign_in_declined`: the owner declined, or did not decide in time.
    - `client_refused`: the authorization server does not accept this client: its id, its key or its scopes.
    - `clock_wrong`: the proof was refused, and the API's time could not be learnt: this machine's clock is wrong.
    - `intent_conflict`: this intent was used with another request.
    - `intent_expired`: this intent is too old to be sent again safely.
    - `owner_needed`: the owner has to act, and `on_owner_needed` is missing, or the time of the call is over.
    - `not_settled`: an operation that the verb needs has not succeeded (yet): `NotSettledError`.
    - `wait_failed`: a wait ended by an error, its `__cause__`. The operation goes on: wait again, or read it.
    - `store_damaged`: a file of the store is empty or damaged. The message names it, and says what to do.
    - `outcome_unknown`: something of the application failed after a write was sent, for example its store: the `__cause__`.
    - `invalid_use`: an option or an argument is wrong.
    - `webhook_invalid`: a webhook is not signed by the keys, or too old.
    - `response_invalid`: an answer is not what the protocols say.
    """

    def __init__(self, code: str, message: str, *, submission_uncertain: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.submission_uncertain = submission_uncertain
        """True if a write may have been accepted: repeat it with the same intent, never with a new one."""
