"""The client for Python, as the cases drive it: a line of JSON for each order on stdin, a line for its end on stdout."""

import json
import sys
from collections.abc import Callable
from typing import Any

import httpx

from financial_agents import ApiProblem, ClientError, FinancialAgents, device, memory_store

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


def started(order: dict[str, Any]) -> FinancialAgents:
    store = memory_store()
    store.set(f"{order['origin']}/app/owner/session", order["session"])
    http_client = httpx.Client(timeout=30, verify=TLS)
    retry_for = order["retryForMs"] / 1_000
    return FinancialAgents(
        order["origin"], "app", device(scopes=[]), store=store, retry_for=retry_for, http_client=http_client
    )


def pay(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    timeout = order["timeoutMs"] / 1_000
    outcome = agent.pay(intent="rent", payee=order["payee"], amount=order["amount"], currency="EUR", timeout=timeout)
    return {"is": ENDINGS[outcome.status], "operation": outcome.operation["id"]}


def wait(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    outcome = agent.wait(order["operation"], order["timeoutMs"] / 1_000)
    return {"is": ENDINGS[outcome.status], "operation": outcome.operation["id"]}


def show(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    return {"is": "done", "operation": agent.operations.get(order["operation"]).id}


def read(agent: FinancialAgents, _: dict[str, Any]) -> dict[str, Any]:
    agent.accounts.list().first_page()
    return {"is": "done"}


def get(agent: FinancialAgents, _: dict[str, Any]) -> dict[str, Any]:
    agent.mandates.get("one")
    return {"is": "done"}


def list_operations(agent: FinancialAgents, _: dict[str, Any]) -> dict[str, Any]:
    agent.operations.list().first_page()
    return {"is": "done"}


def subscribe(agent: FinancialAgents, _: dict[str, Any]) -> dict[str, Any]:
    agent.webhooks.create({"url": "https://receiver.example/hook"})
    return {"is": "done"}


def unsubscribe(agent: FinancialAgents, _: dict[str, Any]) -> dict[str, Any]:
    agent.webhooks.delete("one")
    return {"is": "done"}


ACTS: dict[str, Callable[[FinancialAgents, dict[str, Any]], dict[str, Any]]] = {
    "pay": pay,
    "wait": wait,
    "show": show,
    "read": read,
    "get": get,
    "list": list_operations,
    "subscribe": subscribe,
    "unsubscribe": unsubscribe,
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


def main() -> None:
    agent: FinancialAgents | None = None
    for line in sys.stdin:
        order = json.loads(line)
        ended: dict[str, Any] = {}
        try:
            if "start" in order:
                if agent is not None:
                    agent.close()
                agent = started(order["start"])
            elif agent is not None:
                ended = ACTS[order["do"]](agent, order)
        except (ApiProblem, ClientError) as error:
            ended = {"failure": failure_of(error)}
        except Exception as error:
            ended = {"broken": repr(error)}
        print(json.dumps(ended), flush=True)


main()
