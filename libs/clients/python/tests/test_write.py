import json
import tempfile
import time
import unittest
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import httpx

from financial_agents import ApiProblem, ClientError, ResponseEntry, Store, file_store, memory_store
from tests.fake_api import Answer, FakeApi, answered, lost, operation, refused

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
        return api.agent(store, **more).mandates.pay("m-1", body, intent="rent").id

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

    def test_the_key_is_the_same_without_the_store_and_another_for_another_account(self) -> None:
        api = FakeApi(ACCEPTED, ACCEPTED, ACCEPTED)
        self.write(api, memory_store())
        self.write(api, memory_store())
        self.assertEqual(len(self.keys(api)), 1)
        self.write(api, memory_store(), account="other")
        self.assertEqual(len(self.keys(api)), 2)

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

    def test_a_decimal_is_sent_as_the_decimal_string_of_an_amount(self) -> None:
        withdrawal = answered(operation(state="succeeded", kind="transfer"), 202)
        api = FakeApi(withdrawal, *[answered(operation(state="succeeded"), 202)] * 3)
        agent = api.agent()
        agent.pay(intent="a", payee="p-1", amount=Decimal("12.50"), currency="EUR")
        agent.pay(intent="b", allowance="m-1", amount=Decimal("1E+2"), currency="JPY")
        raw: Any = {"amount": Decimal("5.10"), "currency": "EUR"}
        agent.mandates.pay("m-1", raw, intent="c")
        agent.write("/v1/mandates/m-1/transfers", raw, intent="d")
        amounts = [json.loads(request.content)["amount"] for request in api.asked]
        self.assertEqual(amounts, ["12.50", "100", "5.10", "5.10"])
        for wrong in (Decimal("NaN"), Decimal("-Infinity"), object()):
            with self.assertRaises(ClientError) as error:
                agent.mandates.pay("m-1", {"amount": wrong, "currency": "EUR"}, intent="e")  # pyright: ignore
            self.assertEqual(error.exception.code, "invalid_use")

    def test_without_an_intent_nothing_is_written(self) -> None:
        with self.assertRaises(ClientError) as error:
            FakeApi().agent().mandates.pay("m-1", BODY, intent="")
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
    """The errors of a write say if it may have been accepted. A caller that reads "no" pays again with a new intent."""

    def write(self, store: Store, *answers: Answer, body: Any = BODY) -> str:
        self.api = FakeApi(*answers)
        return self.api.agent(store, retry_for=0).mandates.pay("m-1", body, intent="rent").id

    def failed(self, store: Store, *answers: Answer, body: Any = BODY) -> ApiProblem | ClientError:
        with self.assertRaises((ApiProblem, ClientError)) as error:
            self.write(store, *answers, body=body)
        return error.exception

    def store_after_loss(self) -> Store:
        store = memory_store()
        self.assertTrue(self.failed(store, lost()).submission_uncertain)
        return store

    def test_an_error_of_the_confirmation_leaves_a_lost_write_uncertain(self) -> None:
        def withdraw(store: Store, *answers: Answer) -> str:
            body: Any = {"beneficiary_id": "b", "amount": "1", "currency": "EUR"}
            return FakeApi(*answers).agent(store, retry_for=0).spending.pay(body, intent="rent").id

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

    def test_an_error_of_the_store_after_the_request_was_sent_is_uncertain(self) -> None:
        full = Full()
        error = self.failed(full, ACCEPTED)
        self.assertEqual((error.code, error.submission_uncertain), ("outcome_unknown", True))
        self.assertIsInstance(error.__cause__, OSError)
        full.is_full = False
        self.assertEqual(self.write(full, ACCEPTED), "op-1")

    def test_an_error_of_on_response_is_uncertain_and_nothing_is_repeated(self) -> None:
        def broken(_: ResponseEntry) -> None:
            raise RuntimeError("broken")

        api = FakeApi(ACCEPTED, ACCEPTED, ACCEPTED)
        agent = api.agent()
        for work in (
            lambda: agent.mandates.pay("m-1", BODY, intent="rent", on_response=broken),
            lambda: agent.webhooks.delete("w", on_response=broken),
        ):
            with self.assertRaises(ClientError) as error:
                work()
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("outcome_unknown", True))
        with self.assertRaises(RuntimeError):
            agent.operations.get("op-1", on_response=broken)
        self.assertEqual(len(api.asked), 3)

    def test_a_confirmation_is_kept_and_what_the_owner_decides_is_certain_unless_the_write_was_sent_with_it(
        self,
    ) -> None:
        def withdraw(store: Store, *answers: Answer) -> ApiProblem | ClientError:
            body: Any = {"beneficiary_id": "b", "amount": "1", "currency": "EUR"}
            with self.assertRaises((ApiProblem, ClientError)) as error:
                FakeApi(*answers).agent(store, retry_for=0).spending.pay(body, intent="rent")
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
        made = agent.spending.pay({"beneficiary_id": "b", "amount": "1", "currency": "EUR"}, intent="i")
        self.assertEqual(made.id, "op-1")
        self.assertEqual(api.asked[-1].headers["confirmation-intent-id"], "ci-1")
        self.assertEqual(api.asked[0].headers["idempotency-key"], api.asked[-1].headers["idempotency-key"])


class Calls(unittest.TestCase):
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
                api.agent(store).mandates.pay("m-1", BODY, intent="rent")
            self.assertEqual(api.paths(), [ROUTE, "GET /v1/operations/op-1"])

    def test_metadata_stay_in_the_store_and_are_found_by_the_operation(self) -> None:
        store, metadata = memory_store(), {"order": "17"}
        api = FakeApi(lost(), ACCEPTED, answered(operation()))
        agent = api.agent(store, retry_for=0)
        with self.assertRaises(ClientError):
            agent.mandates.pay("m-1", BODY, intent="rent", metadata=metadata)
        self.assertIsNone(agent.metadata("op-1"))
        # The program that goes on with the write need not know them.
        agent.mandates.pay("m-1", BODY, intent="rent")
        self.assertEqual(agent.metadata("op-1"), {"intent": "rent", "metadata": metadata})
        agent.mandates.pay("m-1", BODY, intent="rent", metadata={"order": "18"})
        self.assertEqual(agent.metadata("op-1"), {"intent": "rent", "metadata": {"order": "18"}})
        self.assertNotIn("17", str([request.content for request in api.asked]))
        refused_once = FakeApi(refused("validation_failed", 422), answered(operation("op-2"), 202)).agent(store)
        with self.assertRaises(ApiProblem):
            refused_once.mandates.pay("m-1", BODY, intent="bread", metadata=metadata)
        refused_once.mandates.pay("m-1", BODY, intent="bread")
        self.assertIsNone(refused_once.metadata("op-2"))
