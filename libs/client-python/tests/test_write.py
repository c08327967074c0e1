import json
import tempfile
import time
import unittest
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import httpx

from financial_agents import ApiProblem, ClientError, Store, file_store, memory_store
from tests.fake_api import Answer, FakeApi, answered, lost, operation, page, refused

ROUTE = "POST /v1/mandates/m-1/transfers"
BODY: Any = {"amount": "9.90", "currency": "EUR"}
ACCEPTED = answered(operation(), 202)


class Writes(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []
        patcher = patch("financial_agents.repeat.time.sleep", self.pauses.append)
        patcher.start()
        self.addCleanup(patcher.stop)

    def write(self, api: FakeApi, store: Store, body: Any = BODY, **more: Any) -> str:
        return api.agent(store, **more).mandates.transfer("m-1", body, intent="rent").id

    def keys(self, api: FakeApi) -> set[str | None]:
        return {request.headers.get("idempotency-key") for request in api.asked if request.method == "POST"}

    def test_the_key_and_the_digest_are_in_the_store_before_the_first_byte_is_sent(self) -> None:
        store = memory_store()
        seen: list[Any] = []

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(
                store.get("https://api.example/app/owner/sending/POST /v1/mandates/{mandate_id}/transfers/rent")
            )
            seen.append(request.headers["idempotency-key"])
            return httpx.Response(202, json=operation())

        self.write(FakeApi(answer), store)
        record, key = seen
        self.assertEqual(record["key"], key)
        self.assertRegex(key, r"^[\w-]{43}$")
        self.assertTrue(record["hash"])
        self.assertLess(abs(record["at"] - time.time() * 1_000), 60_000)

    def test_a_lost_answer_is_repeated_with_the_same_key_and_an_accepted_intent_leads_to_its_operation(self) -> None:
        api = FakeApi(lost(), lost(httpx.ReadTimeout), ACCEPTED, answered(operation(state="succeeded")))
        store = memory_store()
        self.assertEqual(self.write(api, store), "op-1")
        self.assertEqual(len(self.keys(api)), 1)
        self.assertEqual(self.write(api, store), "op-1")
        self.assertEqual(api.paths(), [ROUTE, ROUTE, ROUTE, "GET /v1/operations/op-1"])

    def test_the_key_is_the_same_without_the_store_and_another_for_another_account(self) -> None:
        api = FakeApi(ACCEPTED, ACCEPTED, ACCEPTED)
        self.write(api, memory_store())
        self.write(api, memory_store())
        self.assertEqual(len(self.keys(api)), 1)
        self.write(api, memory_store(), account="other")
        self.assertEqual(len(self.keys(api)), 2)

    def test_another_body_under_the_same_intent_is_refused_before_it_is_sent(self) -> None:
        api = FakeApi(lost())
        store = memory_store()
        with self.assertRaises(ClientError) as first:
            self.write(api, store, retry_for=0)
        self.assertEqual(first.exception.code, "unreachable")
        self.assertTrue(first.exception.submission_uncertain)
        with self.assertRaises(ClientError) as second:
            self.write(api, store, {**BODY, "amount": "9.91"})
        self.assertEqual(second.exception.code, "intent_conflict")
        self.assertEqual(api.paths(), [ROUTE])

    def test_a_refusal_frees_the_intent_but_not_while_an_earlier_attempt_may_arrive_late(self) -> None:
        api = FakeApi(refused("validation_failed", 422), ACCEPTED)
        store = memory_store()
        with self.assertRaises(ApiProblem) as refusal:
            self.write(api, store)
        problem = refusal.exception
        self.assertEqual((problem.code, problem.request_id, problem.retryable), ("validation_failed", "req-1", False))
        self.assertEqual(str(problem), "validation_failed: no amount: too large")
        self.assertEqual(problem.response.status_code, 422)
        self.assertEqual(self.write(api, store, {**BODY, "amount": "1"}), "op-1")

    def test_what_is_retryable_is_repeated_and_never_before_retry_after(self) -> None:
        api = FakeApi(refused("rate_limited", 429, retryable=True, retry_after="7"), ACCEPTED)
        self.write(api, memory_store())
        self.assertGreaterEqual(self.pauses[0], 7)

    def test_a_retry_after_beyond_the_time_of_the_call_ends_it(self) -> None:
        api = FakeApi(refused("rate_limited", 429, retryable=True, retry_after="90"))
        with self.assertRaises(ApiProblem):
            self.write(api, memory_store())
        self.assertEqual(self.pauses, [])

    def test_after_acceptance_unknown_it_reads_by_key_before_anything_is_sent_again(self) -> None:
        unknown = refused("acceptance_unknown", 503, uncertain=True)
        api = FakeApi(unknown, answered({"items": [operation("op-2")]}))
        self.assertEqual(self.write(api, memory_store()), "op-2")
        [key] = self.keys(api)
        self.assertEqual(api.paths(), [ROUTE, f"GET /v1/operations?idempotency_key={key}"])

    def test_after_acceptance_unknown_and_no_operation_the_same_key_is_sent_again(self) -> None:
        unknown = refused("acceptance_unknown", 503, uncertain=True)
        api = FakeApi(unknown, answered({"items": []}), ACCEPTED)
        self.assertEqual(self.write(api, memory_store()), "op-1")
        self.assertEqual(len(self.keys(api)), 1)

    def test_a_proxys_500_is_no_answer_of_the_api(self) -> None:
        api = FakeApi(page(502), ACCEPTED)
        self.assertEqual(self.write(api, memory_store()), "op-1")
        self.assertEqual(len(self.keys(api)), 1)

    def test_a_connection_that_was_refused_leaves_nothing_uncertain_unless_an_attempt_was_lost_before(self) -> None:
        for answers, uncertain in (([lost(httpx.ConnectError)], False), ([lost(), lost(httpx.ConnectError)], True)):
            api = FakeApi(*answers)
            store = memory_store()
            errors: list[ClientError] = []
            for _ in answers:
                with self.assertRaises(ClientError) as error:
                    self.write(api, store, retry_for=0)
                errors.append(error.exception)
            self.assertEqual((errors[-1].code, errors[-1].submission_uncertain), ("unreachable", uncertain))

    def test_after_a_day_nothing_is_sent_the_operation_is_found_or_the_intent_is_refused(self) -> None:
        for answers, expected in (([operation("op-3")], "op-3"), ([], "intent_expired")):
            store = memory_store()
            with self.assertRaises(ClientError):
                self.write(FakeApi(lost()), store, retry_for=0)
            later = FakeApi(answered({"items": answers}))
            tomorrow = time.time() + 24 * 3_600
            with patch("financial_agents.clock.time.time", lambda tomorrow=tomorrow: tomorrow):
                try:
                    told = self.write(later, store)
                except ClientError as error:
                    told = error.code
            self.assertEqual(told, expected)
            self.assertEqual([path.partition("?")[0] for path in later.paths()], ["GET /v1/operations"])

    def test_a_decimal_is_sent_as_the_decimal_string_of_an_amount(self) -> None:
        withdrawal = answered(operation(state="succeeded", kind="transfer"), 202)
        api = FakeApi(withdrawal, *[answered(operation(state="succeeded"), 202)] * 3)
        agent = api.agent()
        agent.pay(intent="a", payee="p-1", amount=Decimal("12.50"), currency="EUR")
        agent.pay(intent="b", allowance="m-1", amount=Decimal("1E+2"), currency="JPY")
        raw: Any = {"amount": Decimal("5.10"), "currency": "EUR"}
        agent.mandates.transfer("m-1", raw, intent="c")
        agent.write("/v1/mandates/m-1/transfers", raw, intent="d")
        amounts = [json.loads(request.content)["amount"] for request in api.asked]
        self.assertEqual(amounts, ["12.50", "100", "5.10", "5.10"])
        for wrong in (Decimal("NaN"), Decimal("-Infinity"), object()):
            with self.assertRaises(ClientError) as error:
                agent.mandates.transfer("m-1", {"amount": wrong, "currency": "EUR"}, intent="e")  # pyright: ignore
            self.assertEqual(error.exception.code, "invalid_use")

    def test_without_an_intent_nothing_is_written(self) -> None:
        with self.assertRaises(ClientError) as error:
            FakeApi().agent().mandates.transfer("m-1", BODY, intent="")
        self.assertEqual(error.exception.code, "invalid_use")

    def test_a_path_of_the_table_is_the_same_write_as_by_its_method(self) -> None:
        api = FakeApi(ACCEPTED, ACCEPTED)
        self.write(api, memory_store())
        api.agent().write("/v1/mandates/m-1/transfers", BODY, intent="rent")
        self.assertEqual(len(self.keys(api)), 1)


UNKNOWN = refused("acceptance_unknown", 503, uncertain=True)
BUSY = refused("rate_limited", 429, retryable=True)
INVALID = refused("validation_failed", 422)
NONE = answered({"items": []})
FOUND = answered({"items": [operation("op-2")]})
FOUND_TRANSFER = answered({"items": [operation("op-2", kind="transfer")]})
OTHER: Any = {**BODY, "amount": "1.00"}


class Uncertainty(unittest.TestCase):
    """The errors of a write say if it may have been accepted. A caller that is told "no" pays again with a new intent."""

    def write(self, store: Store, *answers: Answer, body: Any = BODY) -> str:
        self.api = FakeApi(*answers)
        return self.api.agent(store, retry_for=0).mandates.transfer("m-1", body, intent="rent").id

    def failed(self, store: Store, *answers: Answer, body: Any = BODY) -> ApiProblem | ClientError:
        with self.assertRaises((ApiProblem, ClientError)) as error:
            self.write(store, *answers, body=body)
        return error.exception

    def store_after_loss(self) -> Store:
        store = memory_store()
        self.assertTrue(self.failed(store, lost()).submission_uncertain)
        return store

    def test_a_failed_look_up_leaves_the_write_uncertain_and_the_same_intent_finds_the_one_operation(self) -> None:
        for answer in (
            refused("service_unavailable", 503, retryable=True),
            refused("insufficient_scope", 403),
            refused("provider_connection_unavailable", 409),
            lost(),
            lost(httpx.ConnectError),
            page(404),
        ):
            store = memory_store()
            error = self.failed(store, UNKNOWN, answer)
            self.assertEqual((error.code, error.submission_uncertain), ("acceptance_unknown", True))
            first = self.api.asked[0].headers["idempotency-key"]
            self.assertEqual(self.write(store, ACCEPTED), "op-1")
            self.assertEqual(self.api.asked[0].headers["idempotency-key"], first)

    def test_a_failed_look_up_after_an_internal_error_is_the_cause(self) -> None:
        error = self.failed(memory_store(), refused("internal_error", 500), refused("insufficient_scope", 403))
        self.assertEqual((error.code, error.submission_uncertain), ("internal_error", True))
        self.assertIn("call again with the same intent", str(error))
        self.assertIsInstance(error.__cause__, ApiProblem)

    def test_what_is_retryable_until_the_time_is_over_leaves_a_lost_write_uncertain(self) -> None:
        busy = refused("service_unavailable", 503, retryable=True)
        for answer in (BUSY, busy, lost(httpx.ConnectError), page(502)):
            store = self.store_after_loss()
            self.assertTrue(self.failed(store, answer).submission_uncertain)
            conflict = self.failed(store, body=OTHER)
            self.assertEqual((conflict.code, conflict.submission_uncertain), ("intent_conflict", False))

    def test_a_refusal_proves_nothing_about_a_lost_attempt_although_no_operation_has_the_key_yet(self) -> None:
        store = self.store_after_loss()
        key = self.api.asked[0].headers["idempotency-key"]
        error = self.failed(store, INVALID, NONE)
        self.assertEqual((error.code, error.submission_uncertain), ("validation_failed", True))
        self.assertIn("call again with the same intent", str(error))
        self.assertEqual(self.api.paths(), [ROUTE, f"GET /v1/operations?idempotency_key={key}"])
        self.assertEqual(self.failed(store, body=OTHER).code, "intent_conflict")
        # The lost attempt has arrived meanwhile.
        self.assertEqual(self.write(store, INVALID, FOUND), "op-2")
        self.assertEqual(self.api.asked[0].headers["idempotency-key"], key)

    def test_a_refusal_is_none_if_an_operation_has_the_key(self) -> None:
        store = self.store_after_loss()
        self.assertEqual(self.write(store, INVALID, FOUND), "op-2")
        self.assertEqual(self.write(store, answered(operation("op-2"))), "op-2")

    def test_a_refusal_is_uncertain_if_the_look_up_fails_and_does_not_free_the_intent(self) -> None:
        for answer in (refused("insufficient_scope", 403), lost()):
            store = self.store_after_loss()
            error = self.failed(store, INVALID, answer)
            self.assertEqual((error.code, error.submission_uncertain), ("validation_failed", True))
            self.assertEqual(self.failed(store, body=OTHER).code, "intent_conflict")

    def test_the_operation_of_a_conflict_is_another_write_and_the_error_is_uncertain(self) -> None:
        error = self.failed(self.store_after_loss(), refused("idempotency_key_conflict", 409))
        self.assertEqual((error.code, error.submission_uncertain), ("idempotency_key_conflict", True))
        self.assertEqual(self.api.paths(), [ROUTE])

    def test_the_end_of_the_access_leaves_a_lost_write_uncertain(self) -> None:
        api = FakeApi(lost())
        api.lifetime_s = 1
        ended = httpx.Response(400, json={"error": "invalid_grant"})
        api.token = lambda: ended if len(api.token_requests) > 1 else None
        with patch("financial_agents.repeat.time.sleep"), self.assertRaises(ClientError) as error:
            api.agent().mandates.transfer("m-1", BODY, intent="rent")
        self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("access_ended", True))

    def test_an_error_of_the_confirmation_leaves_a_lost_write_uncertain(self) -> None:
        def withdraw(store: Store, *answers: Answer) -> str:
            body: Any = {"beneficiary_id": "b", "amount": "1", "currency": "EUR"}
            return FakeApi(*answers).agent(store, retry_for=0).spending.withdraw(body, intent="rent").id

        required, scope = refused("confirmation_required", 403), refused("insufficient_scope", 403)
        asked = answered({"id": "ci-1", "status": "pending", "expires_at": "2026-11-23T08:00:00Z"}, 201)
        for answers in (
            [required, BUSY],
            [required, asked, BUSY],
            [required, asked, lost()],
            [required, scope, lost()],
        ):
            store = memory_store()
            with self.assertRaises(ClientError):
                withdraw(store, lost())
            with self.assertRaises((ApiProblem, ClientError)) as error:
                withdraw(store, *answers)
            self.assertTrue(error.exception.submission_uncertain)
        store = memory_store()
        with self.assertRaises(ClientError):
            withdraw(store, lost())
        self.assertEqual(withdraw(store, required, scope, FOUND_TRANSFER), "op-2")

    def test_what_is_certain_stays_certain(self) -> None:
        for answers in ([INVALID], [BUSY], [lost(httpx.ConnectError)], [refused("internal_error", 500), NONE]):
            self.assertFalse(self.failed(memory_store(), *answers).submission_uncertain)

    def test_an_accepted_write_is_uncertain_as_long_as_its_operation_cannot_be_read(self) -> None:
        store = memory_store()
        self.write(store, ACCEPTED)
        for answer in (BUSY, refused("operation_not_found", 404), lost()):
            error = self.failed(store, answer)
            self.assertTrue(error.submission_uncertain)
            self.assertIn("op-1", str(error))

    def test_an_old_write_is_uncertain_as_long_as_it_cannot_be_looked_for(self) -> None:
        store = self.store_after_loss()
        tomorrow = time.time() + 24 * 3_600
        with patch("financial_agents.clock.time.time", lambda: tomorrow):
            for answer in (BUSY, lost()):
                self.assertTrue(self.failed(store, answer).submission_uncertain)
            self.assertEqual(self.failed(store, NONE).code, "intent_expired")

    def test_a_write_by_an_expired_key_is_uncertain_if_its_operation_is_not_found(self) -> None:
        self.assertTrue(self.failed(memory_store(), refused("idempotency_key_expired", 409), NONE).submission_uncertain)

    def test_an_error_of_the_store_after_the_request_was_sent_is_uncertain(self) -> None:
        full = Full()
        error = self.failed(full, ACCEPTED)
        self.assertEqual((error.code, error.submission_uncertain), ("outcome_unknown", True))
        self.assertIsInstance(error.__cause__, OSError)
        full.is_full = False
        self.assertEqual(self.write(full, ACCEPTED), "op-1")

    def test_an_error_of_on_response_is_uncertain_and_nothing_is_repeated(self) -> None:
        def broken(_: httpx.Response) -> None:
            raise RuntimeError("broken")

        api = FakeApi(ACCEPTED, ACCEPTED, ACCEPTED)
        agent = api.agent()
        for work in (
            lambda: agent.mandates.transfer("m-1", BODY, intent="rent", on_response=broken),
            lambda: agent.webhooks.delete("w", on_response=broken),
        ):
            with self.assertRaises(ClientError) as error:
                work()
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("outcome_unknown", True))
        with self.assertRaises(RuntimeError):
            agent.operations.get("op-1", on_response=broken)
        self.assertEqual(len(api.asked), 3)

    def test_a_write_of_which_nothing_was_sent_stays_certain_in_later_calls(self) -> None:
        for answer in (lost(httpx.ConnectError), BUSY):
            store = memory_store()
            for one in (answer, INVALID):
                self.assertFalse(self.failed(store, one).submission_uncertain)
            self.assertEqual(self.write(store, ACCEPTED, body=OTHER), "op-1")

    def test_a_confirmation_is_kept_and_what_the_owner_decides_is_certain_unless_the_write_was_sent_with_it(
        self,
    ) -> None:
        def withdraw(store: Store, *answers: Answer) -> ApiProblem | ClientError:
            body: Any = {"beneficiary_id": "b", "amount": "1", "currency": "EUR"}
            with self.assertRaises((ApiProblem, ClientError)) as error:
                FakeApi(*answers).agent(store, retry_for=0).spending.withdraw(body, intent="rent")
            return error.exception

        required, declined = refused("confirmation_required", 403), refused("confirmation_declined", 403)
        pending = {"id": "ci-1", "status": "pending", "expires_at": "2026-11-23T08:00:00Z"}
        pending |= {"confirmation_url": "https://api.example/c", "summary": "Pay"}
        store = memory_store()
        error = withdraw(store, required, answered(pending, 201), answered(pending))
        self.assertEqual((error.code, error.submission_uncertain), ("owner_needed", False))
        error = withdraw(store, declined)
        self.assertEqual((error.code, error.submission_uncertain), ("confirmation_declined", False))
        confirmed = {**pending, "status": "confirmed"}
        store = memory_store()
        self.assertTrue(
            withdraw(store, required, answered(pending, 201), answered(confirmed), lost()).submission_uncertain
        )
        self.assertTrue(withdraw(store, declined, NONE).submission_uncertain)


class Full:
    """A store that has no room for the record of an accepted write."""

    def __init__(self) -> None:
        self._values = memory_store()
        self.is_full = True

    def get(self, key: str) -> Any:
        return self._values.get(key)

    def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        if self.is_full and "/accepted/" in key:
            raise OSError("the disk is full")
        return self._values.set(key, value, if_absent=if_absent, secret=secret)

    def delete(self, key: str) -> None:
        self._values.delete(key)


class Confirmations(unittest.TestCase):
    def test_the_confirmation_is_kept_before_it_is_shown_and_goes_with_the_write(self) -> None:
        intent: dict[str, Any] = {"id": "ci-1", "status": "confirmed", "expires_at": "2026-11-23T08:00:00Z"}
        api = FakeApi(
            refused("confirmation_required", 403),
            answered(intent, 201),
            answered(intent),
            answered(operation(kind="transfer"), 202),
        )
        store = memory_store()
        agent = api.agent(store)
        made = agent.spending.withdraw({"beneficiary_id": "b", "amount": "1", "currency": "EUR"}, intent="i")
        self.assertEqual(made.id, "op-1")
        self.assertEqual(api.asked[-1].headers["confirmation-intent-id"], "ci-1")
        self.assertEqual(api.asked[0].headers["idempotency-key"], api.asked[-1].headers["idempotency-key"])


class Calls(unittest.TestCase):
    def test_a_request_that_takes_no_key_and_may_have_been_done_is_not_repeated(self) -> None:
        api = FakeApi(lost())
        with self.assertRaises(ClientError) as error:
            api.agent().webhooks.create({"url": "https://receiver.example/"})
        self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("unreachable", True))
        self.assertIn("look before you call again", str(error.exception))

    def test_a_call_without_a_key_stays_uncertain_whatever_answers_its_repetition(self) -> None:
        with patch("financial_agents.repeat.time.sleep"):
            for answer in (refused("webhook_subscription_not_found", 404), refused("internal_error", 500)):
                with self.assertRaises(ApiProblem) as error:
                    FakeApi(lost(), answer).agent().webhooks.delete("w")
                self.assertTrue(error.exception.submission_uncertain)
                self.assertIn("look before you call again", str(error.exception))
            with self.assertRaises(ApiProblem) as read:
                FakeApi(lost(), refused("operation_not_found", 404)).agent().operations.get("op-1")
            self.assertFalse(read.exception.submission_uncertain)

    def test_a_read_is_repeated(self) -> None:
        api = FakeApi(lost(), answered({"items": [operation()], "next_cursor": None}))
        with patch("financial_agents.repeat.time.sleep"):
            self.assertEqual(len(list(api.agent().operations.list())), 1)

    def test_pages_are_asked_for_as_they_are_needed_and_queries_leave_out_what_is_none(self) -> None:
        api = FakeApi(
            answered({"items": [1, 2], "next_cursor": "a b"}),
            answered({"items": [3], "next_cursor": None}),
        )
        items = iter(api.agent().activity.list(limit=2, from_="2026-11-01T00:00:00Z"))
        self.assertEqual([next(items), next(items)], [1, 2])
        self.assertEqual(len(api.asked), 1)
        self.assertEqual(list(items), [3])
        first = "GET /v1/activity?from=2026-11-01T00%3A00%3A00Z"
        self.assertEqual(api.paths(), [f"{first}&limit=2", f"{first}&cursor=a+b&limit=2"])

    def test_parameters_of_paths_cannot_leave_them(self) -> None:
        api = FakeApi(answered({"id": "m"}))
        api.agent().mandates.get("../x?y")
        self.assertEqual(api.paths(), ["GET /v1/mandates/..%2Fx%3Fy"])

    def test_the_file_store_is_one_too(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            api = FakeApi(answered(operation(), 202), answered(operation()))
            for _ in range(2):
                store = file_store(folder)
                api.agent(store).mandates.transfer("m-1", BODY, intent="rent")
            self.assertEqual(api.paths(), [ROUTE, "GET /v1/operations/op-1"])
