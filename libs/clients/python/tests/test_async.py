import asyncio
import threading
import unittest
from typing import Any

import httpx

from financial_agents import (
    ApiProblem,
    AsyncFinancialAgents,
    ClientError,
    FinancialAgents,
    OwnerNeeded,
    Succeeded,
    device,
    memory_store,
    service,
)
from tests.fake_api import ORIGIN, SERVICE_KEY, Answer, FakeApi, answered, operation, refused

BODY: Any = {"amount": "9.90", "currency": "EUR"}
LIST: Any = {"items": [{"id": "one"}], "next_cursor": None}
STARTED = {"device_code": "d", "user_code": "u", "verification_uri": f"{ORIGIN}/d", "expires_in": 600, "interval": 60}


class DatabaseStore:
    """A store whose functions await."""

    def __init__(self) -> None:
        self._kept = memory_store()

    async def get(self, key: str) -> Any:
        await asyncio.sleep(0)
        return self._kept.get(key)

    async def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        await asyncio.sleep(0)
        return self._kept.set(key, value, if_absent=if_absent, secret=secret)

    async def delete(self, key: str) -> None:
        self._kept.delete(key)


def signing_in(request: httpx.Request) -> httpx.Response:
    if request.url.path == "/device":
        return httpx.Response(200, json=STARTED)
    endpoints = {"token_endpoint": f"{ORIGIN}/token", "device_authorization_endpoint": f"{ORIGIN}/device"}
    return httpx.Response(200, json={"issuer": ORIGIN, **endpoints})


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_many_tasks_ask_for_one_token(self) -> None:
        api = FakeApi(*[answered(LIST)] * 8)
        async with api.async_agent() as agent:
            pages = await asyncio.gather(*(agent.operations.list().first_page() for _ in range(8)))
        self.assertEqual([page.items for page in pages], [LIST["items"]] * 8)
        self.assertEqual(len(api.token_requests), 1)

    async def test_a_task_that_is_cancelled_while_it_waits_for_a_token_does_not_hold_up_the_others(self) -> None:
        hanging: asyncio.Future[httpx.Response] = asyncio.get_running_loop().create_future()
        asked = asyncio.Event()
        api = FakeApi(answered(LIST))

        async def hang(request: httpx.Request) -> httpx.Response:
            if request.url.path != "/token" or hanging.done():
                return api.handle(request)
            asked.set()
            return await hanging

        auth = service(key=SERVICE_KEY, scopes=["operations:read"])
        client = httpx.AsyncClient(transport=httpx.MockTransport(hang))
        agent = AsyncFinancialAgents(ORIGIN, "app", auth, http_client=client, retry_for=0)
        first, *others = [asyncio.create_task(agent.operations.list().first_page()) for _ in range(3)]
        await asked.wait()
        others[0].cancel()
        with self.assertRaises(asyncio.CancelledError):
            await others[0]
        hanging.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await first
        self.assertEqual((await others[1]).items, LIST["items"])

    async def test_a_list_goes_through_its_pages(self) -> None:
        api = FakeApi(answered({"items": [{"id": "one"}], "next_cursor": "c"}), answered({"items": [{"id": "two"}]}))
        seen = [account["id"] async for account in api.async_agent().accounts.list()]
        self.assertEqual(seen, ["one", "two"])

    async def test_a_payment_and_its_wait_are_those_of_the_client_that_blocks(self) -> None:
        store = DatabaseStore()
        done = answered(operation(state="succeeded"))
        api = FakeApi(answered(operation(), 202), done, done)
        payment: Any = {"intent": "rent", "allowance": "m-1", "amount": "9.90", "currency": "EUR"}
        self.assertIsInstance(await api.async_agent(store).pay(**payment), Succeeded)
        self.assertIsInstance(await api.async_agent(store).pay(**payment), Succeeded)
        self.assertEqual(sum(path.startswith("POST") for path in api.paths()), 1)

    async def test_a_store_that_blocks_does_not_block_the_loop(self) -> None:
        store, threads = memory_store(), set[str]()
        get = store.get

        def watched(key: str) -> Any:
            threads.add(threading.current_thread().name)
            return get(key)

        store.get = watched
        await FakeApi(answered(LIST)).async_agent(store).operations.list().first_page()
        self.assertNotIn(threading.current_thread().name, threads)

    async def test_a_cancelled_write_is_kept_and_goes_on_with_its_key(self) -> None:
        store = memory_store()
        hanging: asyncio.Future[httpx.Response] = asyncio.get_running_loop().create_future()
        reached = asyncio.Event()
        api = FakeApi(answered(operation(), 202))

        async def hang(request: httpx.Request) -> httpx.Response:
            if request.method == "POST" and request.url.path.startswith("/v1/"):
                reached.set()
                return await hanging
            return api.handle(request)

        agent = AsyncFinancialAgents(
            ORIGIN,
            "app",
            device(scopes=[]),
            store=store,
            http_client=httpx.AsyncClient(transport=httpx.MockTransport(hang)),
        )
        session = {"accessToken": "t", "expiresAtMs": 2**53, "refreshToken": "r", "scope": ""}
        store.set(f"{ORIGIN}/app/owner/session", session)
        sending = asyncio.create_task(agent.mandates.pay("m-1", BODY, intent="rent"))
        await reached.wait()
        sending.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await sending
        other: Any = {**BODY, "amount": "1.00"}
        with self.assertRaises(ClientError) as error:
            await api.async_agent(store).mandates.pay("m-1", other, intent="rent")
        self.assertEqual(error.exception.code, "intent_conflict")
        self.assertEqual((await api.async_agent(store).mandates.pay("m-1", BODY, intent="rent")).id, "op-1")

    async def test_the_callback_for_the_owner_may_await_and_a_sign_in_goes_on_after_a_call_that_ended_in_its_time(
        self,
    ) -> None:
        shown: list[OwnerNeeded] = []

        async def show(needed: OwnerNeeded) -> None:
            await asyncio.sleep(0)
            shown.append(needed)

        client = httpx.AsyncClient(transport=httpx.MockTransport(signing_in))
        agent = AsyncFinancialAgents(ORIGIN, "app", device(scopes=[]), on_owner_needed=show, http_client=client)
        for _ in range(2):
            with self.assertRaises(ClientError) as error:
                await agent.mandates.pay("m-1", BODY, intent="rent", timeout=30)
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("sign_in_needed", False))
        # The second call goes on with the sign-in of the first one.
        self.assertEqual([needed.code for needed in shown], ["u"])

    def test_the_client_that_blocks_refuses_functions_that_await(self) -> None:
        async def show(_: OwnerNeeded) -> None:
            await asyncio.sleep(0)

        client = httpx.Client(transport=httpx.MockTransport(signing_in))
        agent = FinancialAgents(ORIGIN, "app", device(scopes=[]), on_owner_needed=show, http_client=client)
        with self.assertRaises(ClientError) as error:
            agent.sign_in()
        self.assertEqual(error.exception.code, "invalid_use")


class Confirmations(unittest.IsolatedAsyncioTestCase):
    async def test_an_undecided_confirmation_ends_the_call_in_its_time_and_is_kept(self) -> None:
        store, shown = memory_store(), list[OwnerNeeded]()
        asked: Any = {"id": "ci-1", "status": "pending", "expires_at": "2026-11-23T08:00:00Z", "summary": "Pay"}
        pending: Any = {**asked, "confirmation_url": f"{ORIGIN}/c", "poll_after_ms": 60_000}
        required = refused("confirmation_required", 403)
        answers: list[Answer] = [required, answered(asked, 201), answered(pending)]
        withdrawal: Any = {"beneficiary_id": "b", "amount": "1", "currency": "EUR"}
        for timeout in (30, 0):
            agent = FakeApi(*answers).async_agent(store)
            agent._core.on_owner_needed = shown.append  # pyright: ignore[reportPrivateUsage]
            with self.assertRaises(ClientError) as error:
                await agent.spending.pay(withdrawal, intent="rent", timeout=timeout)
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("owner_needed", False))
            answers = [refused("confirmation_pending", 403), answered(pending)]
        declined = FakeApi(refused("confirmation_declined", 403))
        with self.assertRaises(ApiProblem) as problem:
            await declined.async_agent(store).spending.pay(withdrawal, intent="rent")
        self.assertEqual((problem.exception.submission_uncertain, len(shown)), (False, 2))
