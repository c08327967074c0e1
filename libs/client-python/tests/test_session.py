import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from unittest.mock import patch

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

from financial_agents import ClientError, FinancialAgents, memory_store, service
from tests.fake_api import ORIGIN, SERVICE_KEY, FakeApi, answered, proof_of

LIST: Any = {"items": [], "next_cursor": None}


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
        def stale(request: httpx.Request) -> httpx.Response:
            return httpx.Response(401, headers={"www-authenticate": 'DPoP error="invalid_token"'})

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
