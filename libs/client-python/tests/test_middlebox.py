"""Only the API's own word is certain.

A load balancer, a captive portal or a cache that answers in place of the API proves nothing about a write, says nothing about a grant, and
has a clock of its own.
"""

import json
import time
import unittest
from contextlib import suppress
from email.utils import formatdate
from typing import Any
from unittest.mock import patch

import httpx

from financial_agents import ApiProblem, ClientError, FinancialAgents, device, memory_store
from financial_agents.http import retry_after_s
from tests.fake_api import ORIGIN, Answer, FakeApi, answered, lost, operation, page, problem, refused

ROUTE = "POST /v1/mandates/m-1/transfers"
BODY: Any = {"amount": "9.90", "currency": "EUR"}
ACCEPTED = answered(operation(), 202)
NONE = answered({"items": []})
FOUND = answered({"items": [operation("op-2")]})
OWN: dict[str, Any] = json.loads(problem("validation_failed", 422).content)


def typed(content_type: str, text: str, status: int, headers: dict[str, str] | None = None) -> Answer:
    return lambda _: httpx.Response(status, text=text, headers={**(headers or {}), "content-type": content_type})


def problem_json(status: int, given: object) -> Answer:
    return typed("application/problem+json", json.dumps(given), status)


OPERATION = answered(operation(), 200)
STATUSES = [200, 201, 204, 302, 304, 400, 401, 403, 404, 408, 409, 413, 422, 429, 499, 500, 502, 503, 504, 520]
FOREIGN: list[Answer] = [
    *map(page, STATUSES),
    answered({"status": "ok"}),
    answered({"status": "ok"}, 202),
    answered(None, 202),
    answered([operation()], 202),
    typed("application/json", "", 202),
    typed("application/json", json.dumps(operation())[:90], 202),
    OPERATION,
    typed("text/html", json.dumps(operation()), 202),
    answered(operation(kind="card_freeze"), 202),
    answered({name: value for name, value in operation().items() if name != "id"}, 202),
    answered({"id": "op-1", "state": "accepted"}, 202),
    answered({}, 401, {"www-authenticate": 'DPoP error="invalid_token"'}),
    problem_json(422, {"title": "Blocked", "status": 422}),
    problem_json(422, {**OWN, "type": "https://other.example/problems/validation_failed"}),
    problem_json(422, {**OWN, "type": "about:blank"}),
    problem_json(403, OWN),
    problem_json(422, {**OWN, "code": "other"}),
    answered(OWN, 422),
]


class Middlebox(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []
        patcher = patch("financial_agents.repeat.time.sleep", self.pauses.append)
        patcher.start()
        self.addCleanup(patcher.stop)

    def refusal(self, work: Any) -> Any:
        with self.assertRaises((ApiProblem, ClientError)) as error:
            work()
        return error.exception

    def test_a_write_is_looked_up_by_its_key_and_found(self) -> None:
        for answer in FOREIGN:
            api = FakeApi(answer, FOUND, answered(operation("op-2", "succeeded")))
            agent = api.agent(memory_store(), retry_for=0)
            self.assertEqual(agent.mandates.transfer("m-1", BODY, intent="rent").id, "op-2")
            self.assertEqual(agent.mandates.transfer("m-1", BODY, intent="rent").state, "succeeded")
            key = api.asked[0].headers["idempotency-key"]
            self.assertEqual(
                api.paths(), [ROUTE, f"GET /v1/operations?idempotency_key={key}", "GET /v1/operations/op-2"]
            )

    def test_a_write_that_is_not_found_is_uncertain_and_the_same_intent_goes_on_with_it(self) -> None:
        for answer in FOREIGN:
            store = memory_store()
            api = FakeApi(answer, NONE, answer, answer, ACCEPTED)
            agent = api.agent(store, retry_for=0)

            def write(agent: FinancialAgents = agent) -> str:
                return agent.mandates.transfer("m-1", BODY, intent="rent").id

            for _ in range(2):
                error = self.refusal(write)
                self.assertRegex(error.code, r"^http_\d+$")
                self.assertEqual((error.from_api, error.retryable, error.submission_uncertain), (False, False, True))
                self.assertIn("call again with the same intent", str(error))
            self.assertEqual(write(), "op-1")
            keys = {request.headers.get("idempotency-key") for request in api.asked if request.method == "POST"}
            self.assertEqual(len(keys), 1)

    def test_a_write_that_a_balancer_answers_with_502_is_sent_again_with_the_same_key(self) -> None:
        api = FakeApi(page(502), ACCEPTED)
        self.assertEqual(api.agent().mandates.transfer("m-1", BODY, intent="rent").id, "op-1")
        self.assertEqual(api.paths(), [ROUTE, ROUTE])

    def test_a_write_whose_answer_cannot_be_read_to_its_end_is_looked_up_by_its_key(self) -> None:
        def broken(_: httpx.Request) -> httpx.Response:
            headers = {"content-encoding": "gzip", "content-type": "application/json"}
            return httpx.Response(202, headers=headers, content=iter([b"not gzip"]))

        api = FakeApi(broken, FOUND)
        self.assertEqual(api.agent().mandates.transfer("m-1", BODY, intent="rent").id, "op-2")
        key = api.asked[0].headers["idempotency-key"]
        self.assertEqual(api.paths(), [ROUTE, f"GET /v1/operations?idempotency_key={key}"])
        for answer in (NONE, lost(), page(403)):
            agent = FakeApi(broken, answer).agent(retry_for=0)
            error = self.refusal(lambda agent=agent: agent.mandates.transfer("m-1", BODY, intent="rent"))
            self.assertEqual((error.code, error.submission_uncertain), ("unreachable", True))
        self.assertEqual(FakeApi(broken, answered({"id": "m"})).agent().mandates.get("m")["id"], "m")

    def test_a_write_is_not_found_in_an_answer_that_is_none(self) -> None:
        for answer in (answered({"status": "ok"}), answered({"items": [operation(kind="transfer")]})):
            agent = FakeApi(page(408), answer).agent(retry_for=0)
            error = self.refusal(lambda agent=agent: agent.mandates.transfer("m-1", BODY, intent="rent"))
            self.assertEqual((error.code, error.submission_uncertain), ("http_408", True))
            self.assertEqual(error.__cause__.code, "http_200")

    def test_a_write_whose_operation_version_1_0_0_did_not_record_is_looked_for_and_never_sent_again(self) -> None:
        store = memory_store()
        FakeApi(ACCEPTED).agent(store).mandates.transfer("m-1", BODY, intent="rent")
        name = f"{ORIGIN}/app/owner/accepted/POST /v1/mandates/{{mandate_id}}/transfers/rent"
        store.set(name, {"hash": store.get(name)["hash"]})
        api = FakeApi(NONE, FOUND)
        agent = api.agent(store)
        error = self.refusal(lambda: agent.mandates.transfer("m-1", BODY, intent="rent"))
        self.assertEqual(error.code, "intent_expired")
        self.assertEqual(agent.mandates.transfer("m-1", BODY, intent="rent").id, "op-2")
        self.assertTrue(all(path.startswith("GET /v1/operations?") for path in api.paths()))

    def test_a_call_without_a_key_is_uncertain_and_one_that_must_not_be_repeated_is_not(self) -> None:
        for answer in FOREIGN:
            api = FakeApi(answer, ACCEPTED)
            agent = api.agent()
            error = self.refusal(lambda agent=agent: agent.webhooks.create({"url": "https://receiver.example/"}))
            self.assertTrue(error.submission_uncertain)
            self.assertIn("look before you call again", str(error))
            self.assertEqual(api.paths(), ["POST /v1/webhook-subscriptions"])
            other = FakeApi(answer).agent(retry_for=0)
            self.assertTrue(self.refusal(lambda other=other: other.quotes.create(BODY)).submission_uncertain)
        for answer in (page(200), answered({}), page(404)):
            agent = FakeApi(answer).agent(retry_for=0)
            self.assertTrue(self.refusal(lambda agent=agent: agent.webhooks.delete("w")).submission_uncertain)
        FakeApi(lambda _: httpx.Response(204)).agent().webhooks.delete("w")
        rotated = answered({"id": "w", "secret": "s"})
        self.assertEqual(FakeApi(rotated).agent().webhooks.rotate_secret("w")["secret"], "s")

    def test_a_read_is_repeated_if_something_in_between_is_busy_and_ends_otherwise(self) -> None:
        mandate = answered({"id": "m", "state": "active"})
        for status in (429, 500, 502, 503, 504):
            self.assertEqual(FakeApi(page(status), mandate).agent().mandates.get("m")["id"], "m")
        for answer in (
            *map(page, (200, 204, 302, 403, 404, 408)),
            answered(None),
            answered([]),
            answered({"status": "ok"}),
        ):
            agent = FakeApi(answer, answer).agent()
            for work in (lambda agent=agent: agent.mandates.get("m"), lambda agent=agent: agent.operations.get("m")):
                error = self.refusal(work)
                self.assertEqual((error.from_api, error.submission_uncertain), (False, False))
                self.assertIn("something in between", str(error))

    def test_retry_after_is_seconds_or_a_date(self) -> None:
        now = 1_800_000_000.0

        def wait(text: str) -> float | None:
            return retry_after_s(httpx.Response(503, headers={"retry-after": text}), now)

        self.assertEqual(wait("7"), 7)
        self.assertEqual(wait(formatdate(now + 40, usegmt=True)), 40)
        self.assertEqual(wait(formatdate(now - 40, usegmt=True)), 0)
        for other in ("", "-1", "1.5", "1e3", "soon", "soon GMT", "2027-01-15T08:00:00Z"):
            self.assertIsNone(wait(other))
        for answer in (page(503, {"retry-after": "7"}), refused("rate_limited", 429, retryable=True, retry_after="7")):
            FakeApi(answer, answered({"id": "m"})).agent().mandates.get("m")
            self.assertGreaterEqual(self.pauses.pop(), 7)

    def test_a_wait_goes_on(self) -> None:
        with patch("financial_agents.waiting.time.sleep"):
            for answer in (
                page(200),
                answered({"status": "ok"}),
                answered(None),
                answered(operation("op-9", "failed")),
            ):
                api = FakeApi(ACCEPTED, answer, answered(operation(state="succeeded")))
                made = api.agent().mandates.transfer("m-1", BODY, intent="rent")
                self.assertEqual(made.wait().status, "succeeded")

    def test_only_the_apis_own_answers_move_the_clock(self) -> None:
        def with_2015(answer: Answer) -> Answer:
            def dated(request: httpx.Request) -> httpx.Response | Exception:
                reply = answer(request)
                if isinstance(reply, httpx.Response):
                    reply.headers["date"] = "Thu, 01 Jan 2015 00:00:00 GMT"
                return reply

            return dated

        # A read of something else takes an operation for what it is.
        for answer in (*(one for one in FOREIGN if one is not OPERATION), answered({"id": "m"})):
            store = memory_store()
            agent = FakeApi(lost(), with_2015(answer), ACCEPTED).agent(store, retry_for=0)
            self.refusal(lambda agent=agent: agent.mandates.transfer("m-1", BODY, intent="rent"))
            with suppress(ApiProblem):
                agent.identity.get()
            self.assertEqual(agent.mandates.transfer("m-1", BODY, intent="rent").id, "op-1")
        for answer in (refused("operation_not_found", 404), answered(operation("m"))):
            store = memory_store()
            agent = FakeApi(with_2015(answer), lost()).agent(store, retry_for=0)
            with suppress(ApiProblem):
                agent.operations.get("m")
            self.refusal(lambda agent=agent: agent.mandates.transfer("m-1", BODY, intent="rent"))
            record = store.get(f"{ORIGIN}/app/owner/sending/POST /v1/mandates/{{mandate_id}}/transfers/rent")
            self.assertEqual(time.gmtime(record["at"] / 1_000).tm_year, 2015)


def oauth(given: object, status: int, content_type: str = "application/json") -> httpx.Response:
    return httpx.Response(status, text=json.dumps(given), headers={"content-type": content_type})


TOKEN_ANSWERS = [
    httpx.Response(400, text="<html></html>", headers={"content-type": "text/html"}),
    httpx.Response(401, text="no"),
    httpx.Response(401, text="no", headers={"www-authenticate": 'Basic realm="proxy"'}),
    oauth({"message": "Unauthorized"}, 401),
    oauth({"error": "invalid_grant"}, 403),
    oauth({"error": "invalid_grant"}, 400, "text/html"),
    oauth({"error": "invalid_client"}, 403),
    oauth({"status": "ok"}, 200),
    oauth(None, 200),
    httpx.Response(204),
    httpx.Response(302, headers={"location": "https://portal.example/"}),
    httpx.Response(503, text="busy"),
    httpx.Response(429, text="busy"),
]


class TokenEndpoint(unittest.TestCase):
    def test_an_answer_of_something_in_between_says_nothing_about_the_grant(self) -> None:
        kept = {"accessToken": "old", "expiresAtMs": 0, "refreshToken": "r", "scope": "operations:read"}
        for answer in TOKEN_ANSWERS:
            store = memory_store()
            store.set(f"{ORIGIN}/app/owner/session", kept)
            api = FakeApi(answered({"items": []}))
            api.token = lambda answer=answer: answer
            agent = api.agent(store, retry_for=0)
            with self.assertRaises(ClientError) as error:
                agent.operations.list().first_page()
            self.assertIn(error.exception.code, ("unreachable", "response_invalid"))
            self.assertFalse(error.exception.submission_uncertain)
            self.assertEqual(store.get(f"{ORIGIN}/app/owner/session"), kept)
            api.token = lambda: None
            self.assertEqual(agent.operations.list().first_page().items, [])

    def test_a_portal_does_not_end_a_sign_in_and_begins_none(self) -> None:
        left = [*TOKEN_ANSWERS, oauth({"access_token": "t", "token_type": "DPoP"}, 200)]
        started: Any = {"device_code": "d", "user_code": "u", "verification_uri": f"{ORIGIN}/d", "expires_in": 600}

        def handle(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/device":
                return httpx.Response(200, json=started)
            if request.url.path == "/token":
                return left.pop(0)
            paths = {"token_endpoint": f"{ORIGIN}/token", "device_authorization_endpoint": f"{ORIGIN}/device"}
            return httpx.Response(200, json={"issuer": ORIGIN, **paths})

        client = httpx.Client(transport=httpx.MockTransport(handle))
        shown: list[object] = []
        agent = FinancialAgents(ORIGIN, "app", device(scopes=[]), on_owner_needed=shown.append, http_client=client)
        with patch("financial_agents.auth.device.time.sleep"):
            self.assertEqual(agent.sign_in(), [])
        self.assertEqual((len(shown), left), (1, []))
        started = {"status": "ok"}
        with self.assertRaises(ClientError) as error:
            agent.sign_in()
        self.assertEqual((error.exception.code, len(shown)), ("response_invalid", 1))
