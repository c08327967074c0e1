"""Durable writes (contract, "Idempotency contract"): one intent is one write, whatever fails and however often it is repeated.

The record of the intent is in the store before the first byte is sent. Every repetition sends the same key and the same body. The
client never makes a second key for an intent. If the key is too old to be sent, the client only looks for the operation.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast
from urllib.parse import quote

from .attempt import Answered, Attempt, Failed, Foreign, Lost, Refused, attempt, is_open, reason_of
from .call import call
from .call_options import CallOptions
from .client_error import ClientError
from .confirmation import ask_to_confirm, decided
from .core import Core
from .generated.models import Operation
from .intent_record import Intended, IntentRecords, SendingRecord, intent_conflict, request_hash
from .json_text import json_text
from .own_answer import Promised, list_of, operation_of, promised_of
from .problem import ApiProblem
from .repeat import Repetition, unreachable
from .row import Row
from .transport import ApiRequest, operation_read
from .uncertain import raise_uncertain, uncertainly

# The API honours a key for 24 hours; the client sends it for a little less.
_WINDOW_MS = 24 * 3_600_000 - 600_000


async def write(
    core: Core, row: Row, path: str, body: Mapping[str, Any] | None, intent: str, options: CallOptions
) -> Operation:
    """Makes the write, or finds its operation.

    Raises ApiProblem if the API refuses it; ClientError `intent_conflict`, `intent_expired` or `unreachable`. If `submission_uncertain`
    is true, the write may have been accepted. Then, after `unreachable` and after a crash: call it again with the same intent.
    """
    if not 1 <= len(intent) <= 512:
        raise ClientError("invalid_use", "A write needs an intent: 1 to 512 characters.")
    text = None if body is None else json_text(body)
    intended = Intended(row, path, text, request_hash(path, text), intent)
    records = IntentRecords(core.store, core.clock, core.scope, intended)
    accepted = await records.accepted()
    if accepted is not None:
        await records.note(options.metadata, accepted["operationId"])
        return await _read_operation(core, accepted["operationId"], intent, options)
    record, fresh = await records.claim()
    age_ms = core.clock.now() * 1_000 - record["at"]
    # A time far in the future comes from a clock that was wrong, so the age of the key is unknown.
    if abs(age_ms) > _WINDOW_MS:
        return await _found_or_expired(core, intended, records, options)
    return await _Sending(core, intended, records, record, fresh, options).run()


class _Sending:
    """The attempts of one write."""

    def __init__(
        self,
        core: Core,
        intended: Intended,
        records: IntentRecords,
        record: SendingRecord,
        fresh: bool,
        options: CallOptions,
    ) -> None:
        self._core = core
        self._intended = intended
        self._records = records
        self._record: SendingRecord = record
        # True while the API itself has refused every attempt, so no attempt can have been accepted or arrive late. If it is False, only
        # the operation of the key proves anything: an attempt that is not known yet may still arrive.
        self._fresh = fresh
        self._has_asked = False
        self._options = options
        self._repeat = Repetition(core, self._request(), options.retry_for)

    async def run(self) -> Operation:
        """Sends the write to its end. An error is uncertain, unless nothing can have been accepted."""
        try:
            await self._records.note(self._options.metadata)
            return await self._accepted(await self._sent())
        except Exception as error:
            if not self._fresh:
                raise_uncertain(error, _may_be_accepted(self._intended.intent))
            # If the record cannot be changed, the next call takes the write for one that may have been sent.
            with suppress(Exception):
                await self._records.unsent(self._record)
            raise

    async def _sent(self) -> Operation:
        """Repeats attempts until there is an operation."""
        if self._intended.row.always and "confirmation" not in self._record:
            early = await self._ask()
            if early is not None:
                return early
        while True:
            last = await self._attempt()
            if isinstance(last, Answered):
                return cast("Operation", last.body)
            if isinstance(last, Failed):
                raise last.error
            found = await self._after(last)
            if found is not None:
                return found

    async def _attempt(self) -> Attempt:
        if "unsent" in self._record:
            self._record = _without(self._record, "unsent")
            await self._records.save(self._record)
        last = await attempt(self._core, self._request(), self._options.on_response)
        if isinstance(last, Answered) or is_open(last):
            self._fresh = False
        return last

    async def _after(self, last: Refused | Foreign | Lost) -> Operation | None:
        """Returns the operation if there is one after all; otherwise waits for the next attempt, or raises."""
        if isinstance(last, Refused):
            return await self._refused(last)
        return await (self._foreign(last) if isinstance(last, Foreign) else self._lost(last))

    def _request(self) -> ApiRequest:
        headers = {"Idempotency-Key": self._record["key"]}
        if "confirmation" in self._record:
            headers["Confirmation-Intent-ID"] = self._record["confirmation"]
        row, path, body = self._intended.row, self._intended.path, self._intended.body
        return ApiRequest(row.method, path, headers, body, promised=promised_of(row))

    async def _accepted(self, operation: Operation) -> Operation:
        await self._records.accept(operation["id"])
        return operation

    async def _refused(self, last: Refused) -> Operation | None:
        problem, code = last.problem, last.problem.code
        if self._needs_owner(code):
            return await (self._decided() if code == "confirmation_pending" else self._ask())
        # The API may have carried out the write although its answer is an error. The key finds the operation.
        is_unknown = problem.submission_uncertain or (problem.status >= 500 and not problem.retryable)
        if is_unknown or code == "idempotency_key_expired":
            was_fresh, self._fresh = self._fresh, False
            found = await self._look_up(problem)
            if found is not None:
                return found
            if problem.submission_uncertain and await self._repeat.again(code, last.after_s):
                return None
            # The API says that this attempt left nothing. An expired key was accepted before it expired.
            if not problem.submission_uncertain and code != "idempotency_key_expired":
                self._fresh = was_fresh
            if code == "idempotency_key_expired":
                # The API has accepted the write before.
                raise _expired(self._intended.intent, submission_uncertain=True) from problem
            raise problem
        if problem.retryable and await self._repeat.again(code, last.after_s):
            return None
        if code == "idempotency_key_conflict":
            # The key's operation is that of another request, so it is no result of this write.
            raise intent_conflict(self._intended.intent, ", by a program with another store") from problem
        return await self._ended(problem)

    async def _foreign(self, last: Foreign) -> Operation | None:
        """Something in between answered. The key finds the operation, if there is one yet."""
        problem = last.problem
        if problem.status >= 500 and await self._repeat.again(problem.code, last.after_s):
            return None
        found = await self._look_up(problem)
        if found is None:
            raise problem
        return found

    async def _ended(self, problem: ApiProblem) -> Operation:
        """Ends the write by a refusal.

        If an earlier attempt may have been accepted, its operation is looked for first, and returned.
        """
        if problem.retryable:
            raise problem
        found = None if self._fresh else await self._look_up(problem)
        if found is not None:
            return found
        # A confirmation serves one request. The next call asks for another one.
        spent, self._record = self._record, _without(self._record, "confirmation")
        if "confirmation" in spent and not self._fresh:
            await self._records.save(self._record)
        raise problem

    async def _look_up(self, failure: ApiProblem | ClientError) -> Operation | None:
        """Reads the operation of the key after an answer that is none. Raises its error, caused by the error of the read."""
        try:
            return await _find_by_key(self._core, self._intended.row, self._record["key"], self._options)
        except (ApiProblem, ClientError) as error:
            raise failure from error

    async def _lost(self, last: Lost) -> Operation | None:
        if not last.cut and await self._repeat.again(reason_of(last), last.after_s):
            return None
        intent = self._intended.intent
        state = "was not accepted" if self._fresh else "may have been accepted, and is kept"
        advice = f'The write "{intent}" {state}: call again with the same intent within 24 hours.'
        error = unreachable(self._core, last, advice, not self._fresh)
        found = await self._look_up(error) if last.cut else None
        if found is None:
            raise error
        return found

    def _needs_owner(self, code: str) -> bool:
        """True if the refusal is about the owner's confirmation, and the owner can still decide in this call."""
        if self._intended.row.confirm is None:
            return False
        if code == "confirmation_pending":
            return "confirmation" in self._record
        # Asks for one confirmation in each call, so an owner who does not answer is not asked again without end.
        return code in ("confirmation_required", "confirmation_expired") and not self._has_asked

    async def _ask(self) -> Operation | None:
        """Asks the owner, and waits for the decision. The confirmation is kept before it is shown, so that a restart waits for the same one.

        Returns the operation if the request for a confirmation is refused and an earlier attempt was accepted.
        """
        intended = self._intended
        try:
            asked = await ask_to_confirm(
                self._core, intended.row.confirm or "", intended.path, intended.body, self._options
            )
        except ApiProblem as problem:
            # The confirmation was refused, so this attempt did not send the write itself.
            if problem.from_api and not problem.retryable:
                return await self._ended(problem)
            raise
        self._has_asked = True
        self._record = {**self._record, "confirmation": asked["id"]}
        if self._fresh:
            # The owner may decide much later. Until then it is known that nothing was sent.
            self._record["unsent"] = True
        await self._records.save(self._record)
        return await self._decided()

    async def _decided(self) -> None:
        await decided(self._core, self._record.get("confirmation", ""), self._options)


def _without(record: SendingRecord, name: str) -> SendingRecord:
    return cast("SendingRecord", {member: value for member, value in record.items() if member != name})


def _may_be_accepted(intent: str) -> str:
    """The advice after an error of a write that may have been accepted."""
    return f'The write "{intent}" may have been accepted: call again with the same intent.'


async def _find_by_key(core: Core, row: Row, key: str, options: CallOptions) -> Operation | None:
    """Reads the operation that was started with a key of this route."""
    path = f"/v1/operations?idempotency_key={quote(key, safe='')}"
    promised = Promised(200, list_of(operation_of(row.kind)))
    found = await call(core, ApiRequest("GET", path, promised=promised), options.quiet())
    return found["items"][0] if found["items"] else None


async def _read_operation(core: Core, operation_id: str, intent: str, options: CallOptions) -> Operation:
    """Reads the operation of an accepted write. An error is uncertain, because the write exists."""
    advice = f'The write "{intent}" was accepted as the operation {operation_id}: call again with the same intent.'
    with uncertainly(advice):
        return await call(core, operation_read(operation_id), options.quiet())


async def _found_or_expired(core: Core, intended: Intended, records: IntentRecords, options: CallOptions) -> Operation:
    intent = intended.intent
    with uncertainly(_may_be_accepted(intent)):
        found = await _find_by_key(core, intended.row, records.key, options)
    if found is None:
        raise _expired(intent)
    await records.accept(found["id"])
    return found


def _expired(intent: str, *, submission_uncertain: bool = False) -> ClientError:
    return ClientError(
        "intent_expired",
        f'The write "{intent}" is older than 24 hours and no operation of it is found: it is not sent again. '
        "If it did not happen, use a new intent.",
        submission_uncertain=submission_uncertain,
    )
