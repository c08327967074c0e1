"""The clients for Python, as the cases drive them: a line of JSON for each order on stdin, a line for its end on stdout.

With the argument `async` it is the client that awaits.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any

import httpx

from financial_agents import ApiProblem, AsyncFinancialAgents, ClientError, FinancialAgents, device, memory_store

ENDINGS = {
    "succeeded": "done",
    "failed": "failed",
    "cancelled": "failed",
    "needs_owner": "needs_owner",
    "indeterminate": "uncertain",
    "still_running": "running",
}

# Each client of a case would read the certificates of the machine again.
TLS = httpx.create_ssl_context()


def started(order: dict[str, Any], *, awaits: bool) -> Any:
    store = memory_store()
    store.set(f"{order['origin']}/app/owner/session", order["session"])
    named: dict[str, Any] = {"store": store, "retry_for": order["retryForMs"] / 1_000}
    known = order["origin"], "app", device(scopes=[])
    if awaits:
        return AsyncFinancialAgents(*known, http_client=httpx.AsyncClient(timeout=30, verify=TLS), **named)
    return FinancialAgents(*known, http_client=httpx.Client(timeout=30, verify=TLS), **named)


async def settled(result: Any) -> Any:
    return await result if isawaitable(result) else result


async def pay(agent: Any, order: dict[str, Any]) -> dict[str, Any]:
    request = {"intent": "rent", "payee": order["payee"], "amount": order["amount"], "currency": "EUR"}
    outcome = await settled(agent.pay(**request, timeout=order["timeoutMs"] / 1_000))
    return {"is": ENDINGS[outcome.status], "operation": outcome.operation["id"]}


async def wait(agent: Any, order: dict[str, Any]) -> dict[str, Any]:
    outcome = await settled(agent.wait(order["operation"], order["timeoutMs"] / 1_000))
    return {"is": ENDINGS[outcome.status], "operation": outcome.operation["id"]}


async def show(agent: Any, order: dict[str, Any]) -> dict[str, Any]:
    operation = await settled(agent.operations.get(order["operation"], timeout=order["timeoutMs"] / 1_000))
    return {"is": "done", "operation": operation.id}


def done(act: Callable[[Any], Any]) -> Callable[[Any, dict[str, Any]], Awaitable[dict[str, Any]]]:
    async def run(agent: Any, _: dict[str, Any]) -> dict[str, Any]:
        await settled(act(agent))
        return {"is": "done"}

    return run


ACTS: dict[str, Callable[[Any, dict[str, Any]], Awaitable[dict[str, Any]]]] = {
    "pay": pay,
    "wait": wait,
    "show": show,
    "read": done(lambda agent: agent.accounts.list().first_page()),
    "get": done(lambda agent: agent.mandates.get("one")),
    "list": done(lambda agent: agent.operations.list().first_page()),
    "subscribe": done(lambda agent: agent.webhooks.create({"url": "https://receiver.example/hook"})),
    "unsubscribe": done(lambda agent: agent.webhooks.delete("one")),
}


def failure_of(error: ApiProblem | ClientError) -> dict[str, Any]:
    told: dict[str, Any] = {
        "code": error.code,
        "message": str(error),
        "submissionUncertain": error.submission_uncertain,
        "cause": getattr(error.__cause__, "code", None),
    }
    if isinstance(error, ApiProblem):
        told["problem"] = {"status": error.status, "retryable": error.retryable, "fromApi": error.from_api}
    return told


async def main(*, awaits: bool) -> None:
    agent: Any = None
    for line in sys.stdin:
        order = json.loads(line)
        ended: dict[str, Any] = {}
        try:
            if "start" in order:
                if agent is not None:
                    await settled(agent.aclose() if awaits else agent.close())
                agent = started(order["start"], awaits=awaits)
            elif agent is not None:
                ended = await ACTS[order["do"]](agent, order)
        except (ApiProblem, ClientError) as error:
            ended = {"failure": failure_of(error)}
        except Exception as error:
            ended = {"broken": repr(error)}
        print(json.dumps(ended), flush=True)


asyncio.run(main(awaits="async" in sys.argv))
