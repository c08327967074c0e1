import json
import time
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from unittest.mock import patch

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

from financial_agents import ClientError, FinancialAgents, OwnerNeeded, Store, device, memory_store, service
from tests.fake_api import ORIGIN, SERVICE_KEY, FakeApi, answered, lost, problem, proof_of

LIST: Any = {"items": [], "next_cursor": None}
SESSION = f"{ORIGIN}/app/owner/session"


def stale(request: httpx.Request) -> httpx.Response:
    return problem("invalid_token", 401, headers={"www-authenticate": 'DPoP error="invalid_token"'})


def session(name: str, expires_in_s: float = 300) -> dict[str, Any]:
    return {
        "accessToken": f"access-{name}",
        "refreshToken": f"refresh-{name}",
        "expiresAtMs": (time.time() + expires_in_s) * 1_000,
        "scope": "operations:read",
    }


class Sessions(unittest.TestCase):
    def test_many_threads_ask_for_one_token_and_a_nonce_is_learnt_once(self) -> None:
        api = FakeApi(*[answered(LIST)] * 8)
        agent = api.agent()
        barrier = Barrier(8)

        def read(_: int) -> None:
            barrier.wait()
            agent.operations.list().first_page()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(read, range(8)))
        self.assertEqual(len(api.token_requests), 1)
        self.assertEqual(len(api.asked), 8)

    def test_a_service_account_signs_its_assertion_and_never_sends_its_key(self) -> None:
        api = FakeApi(answered(LIST))
        api.agent().operations.list().first_page()
        [asked] = api.token_requests
        self.assertEqual(asked["grant_type"], "client_credentials")
        self.assertEqual(asked["resource"], ORIGIN)
        self.assertEqual(asked["client_assertion"].count("."), 2)
        self.assertNotIn(str(SERVICE_KEY["d"]), str(asked))

    def test_a_token_that_is_refused_is_replaced_once(self) -> None:
        api = FakeApi(stale, answered(LIST))
        api.agent().operations.list().first_page()
        self.assertEqual([request.headers["authorization"] for request in api.asked], ["DPoP token-1", "DPoP token-2"])

    def test_the_grant_is_renewed_by_its_refresh_token_and_its_end_is_told_without_asking_again(self) -> None:
        store = memory_store()
        kept = {"accessToken": "old", "expiresAtMs": 0, "refreshToken": "r", "scope": "operations:read"}
        store.set(f"{ORIGIN}/app/owner/session", kept)
        api = FakeApi(answered(LIST))
        api.agent(store).operations.list().first_page()
        self.assertEqual(api.token_requests[0]["grant_type"], "refresh_token")
        renewed = store.get(f"{ORIGIN}/app/owner/session")
        self.assertEqual((renewed["accessToken"], renewed["refreshToken"]), ("token-1", "r"))

        store.set(f"{ORIGIN}/app/owner/session", kept)
        ended = FakeApi()
        original = ended.handle

        def refuse(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/token":
                ended.token_requests.append({})
                return httpx.Response(400, json={"error": "invalid_grant"})
            return original(request)

        ended.handle = refuse
        for _ in range(2):
            with self.assertRaises(ClientError) as error:
                ended.agent(store).operations.list().first_page()
            self.assertEqual(error.exception.code, "access_ended")
        self.assertEqual(len(ended.token_requests), 1)

    def test_a_refused_token_does_not_overwrite_the_newer_session_of_another_process_which_is_used(self) -> None:
        store = memory_store()
        store.set(SESSION, session("old"))
        api = FakeApi(answered(LIST), stale, answered(LIST))
        agent = api.agent(store)
        agent.operations.list().first_page()
        newer = session("new")
        store.set(SESSION, newer)
        agent.operations.list().first_page()
        self.assertEqual(store.get(SESSION), newer)
        self.assertEqual(api.token_requests, [])

    def test_a_refused_token_that_is_still_kept_is_renewed_by_its_refresh_token(self) -> None:
        store = memory_store()
        store.set(SESSION, session("old"))
        api = FakeApi(stale, answered(LIST))
        api.agent(store).operations.list().first_page()
        self.assertEqual([asked["refresh_token"] for asked in api.token_requests], ["refresh-old"])
        self.assertEqual(store.get(SESSION)["accessToken"], "token-1")

    def test_neither_the_end_nor_a_renewal_of_an_old_grant_overwrites_the_new_one_of_another_process(self) -> None:
        for reply in (httpx.Response(400, json={"error": "invalid_grant"}), None):
            store = memory_store()
            store.set(SESSION, session("old", 0))
            newer = session("new")
            api = FakeApi(answered(LIST))

            def token(store: Store = store, newer: Any = newer, reply: httpx.Response | None = reply) -> Any:
                store.set(SESSION, newer)
                return reply

            api.token = token
            api.agent(store).operations.list().first_page()
            self.assertEqual(store.get(SESSION), newer)

    def test_without_network_to_the_authorization_server_every_function_says_so(self) -> None:
        gone = httpx.ConnectError("gone")
        api = FakeApi()
        api.token = lambda: gone
        agent = api.agent(retry_for=0)
        for work in (
            agent.sign_in,
            lambda: agent.fetch("/v1/identity"),
            lambda: agent.operations.list().first_page(),
            lambda: agent.mandates.pay("m-1", {"amount": "1", "currency": "EUR"}, intent="rent"),
        ):
            with self.assertRaises(ClientError) as error:
                work()
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("unreachable", False))
        self.assertEqual(api.asked, [])

    def test_an_error_of_the_store_or_the_callback_is_no_lost_answer(self) -> None:
        # A store or a callback over a network fails with the same class as a lost answer.
        broken = httpx.ReadError("gone")

        class Broken:
            def get(self, key: str) -> Any:
                raise broken

            def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
                return True

            def delete(self, key: str) -> None: ...

        asked: list[OwnerNeeded] = []

        def show(needed: OwnerNeeded) -> None:
            asked.append(needed)
            raise broken

        started = {"device_code": "d", "user_code": "u", "verification_uri": "https://api.example/d", "expires_in": 600}

        def handle(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/device":
                return httpx.Response(200, json=started)
            metadata = {"issuer": ORIGIN, "device_authorization_endpoint": f"{ORIGIN}/device"}
            return httpx.Response(200, json=metadata)

        client = httpx.Client(transport=httpx.MockTransport(handle))
        callback = FinancialAgents(ORIGIN, "app", device(scopes=[]), on_owner_needed=show, http_client=client)
        for agent in (FakeApi().agent(Broken()), callback):
            with self.assertRaises(httpx.ReadError) as error:
                agent.operations.list().first_page()
            self.assertIs(error.exception, broken)
        self.assertEqual(len(asked), 1)

    def test_a_raw_request_without_an_answer_raises_the_error_of_httpx(self) -> None:
        with self.assertRaises(httpx.ReadError):
            FakeApi(lost()).agent().fetch("/v1/identity")

    def test_a_proof_carries_the_servers_time_once_it_is_known(self) -> None:
        api = FakeApi(answered(LIST), answered(LIST))
        api.offset_s = 240
        agent = api.agent()
        agent.operations.list().first_page()
        self.assertLess(abs(proof_of(api.asked[0])["iat"] - (time.time() + 240)), 60)
        for assertion in api.assertions:
            claims = jwt.decode(str(assertion), ECKey.import_key(SERVICE_KEY)).claims
            self.assertLess(abs(claims["iat"] - (time.time() + 240)), 60)

    def test_only_an_origin_with_https_or_loopback_is_accepted(self) -> None:
        auth = service(key=SERVICE_KEY, scopes=[])
        for wrong in ("http://api.example", "https://api.example/v1", "https://u@api.example", "api.example", ""):
            with self.assertRaises(ClientError) as error:
                FinancialAgents(wrong, "app", auth)
            self.assertEqual(error.exception.code, "invalid_use")
        for right in ("https://api.example/", "http://127.0.0.1:8080", "http://[::1]:80", "https://API.example:443"):
            FinancialAgents(right, "app", auth).close()

    def test_credentials_in_the_address_are_refused_without_quoting_them(self) -> None:
        auth = service(key=SERVICE_KEY, scopes=[])
        for wrong in (
            "https://key:swordfish@api.example",
            "https://swordfish@api.example",
            "http://a:swordfish@api.example",
        ):
            with self.assertRaises(ClientError) as error:
                FinancialAgents(wrong, "app", auth)
            self.assertEqual(error.exception.code, "invalid_use")
            self.assertNotIn("swordfish", str(error.exception))

    def test_a_body_that_drips_ends_with_the_time_out(self) -> None:
        class Dripping(httpx.SyncByteStream):
            def __iter__(self) -> Iterator[bytes]:
                while True:
                    yield b" "

        api = FakeApi(lambda _: httpx.Response(200, stream=Dripping()))
        client = httpx.Client(transport=httpx.MockTransport(api.handle), timeout=0.2)
        auth = service(key=SERVICE_KEY, scopes=[])
        agent = FinancialAgents(ORIGIN, "app", auth, http_client=client, retry_for=0)
        with agent, self.assertRaises(ClientError) as error:
            agent.operations.list().first_page()
        self.assertEqual(error.exception.code, "unreachable")

    def test_a_key_that_is_none_is_refused_without_quoting_it(self) -> None:
        with self.assertRaises(ClientError) as error:
            service(key={"kty": "EC", "d": "secret-d"}, scopes=[])
        self.assertNotIn("secret-d", str(error.exception))

    def test_logs_name_neither_tokens_nor_queries(self) -> None:
        api = FakeApi(lambda request: httpx.ReadError("gone", request=request), answered(LIST))
        with self.assertLogs("financial_agents", "DEBUG") as logs, patch("financial_agents.repeat.time.sleep"):
            api.agent().operations.list(idempotency_key="hidden-key-of-16").first_page()
        text = "\n".join(logs.output)
        self.assertIn("GET /v1/operations: unanswered, repeating", text)
        self.assertNotRegex(text, "hidden-key|token-1|DPoP")


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


class SignIn(unittest.TestCase):
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
        with patch("financial_agents.drive.time.sleep"):
            self.assertEqual(agent.sign_in(), [])
        self.assertEqual((len(shown), left), (1, []))
        started = {"status": "ok"}
        with self.assertRaises(ClientError) as error:
            agent.sign_in()
        self.assertEqual((error.exception.code, len(shown)), ("response_invalid", 1))
