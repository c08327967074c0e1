"""The errands that the tests order from the Python client: a line of JSON for each on stdin, and a line of JSON for its end.

A line with `owner` says what the owner has to do.
"""

import json
import os
import sys
from typing import Any

from financial_agents import (
    ApiProblem,
    ClientError,
    FinancialAgents,
    NotSettledError,
    OwnerNeeded,
    file_store,
    memory_store,
    service,
    verify_webhook,
)

PT = {"country": "PT", "currency": "EUR"}
IBAN = {"iban": "PT50000201231234567890154"}


def tell(line: dict[str, Any]) -> None:
    print(json.dumps(line, default=str), flush=True)


def show(needed: OwnerNeeded) -> None:
    tell({"owner": needed.kind, "url": needed.url, "code": needed.code})


def agent_of(order: dict[str, Any]) -> FinancialAgents:
    base_url = os.environ["API"]
    store = file_store(order["store"]) if "store" in order else memory_store()
    asks = show if order.get("asks", True) else None
    with open(os.environ["KEY_FILE"], encoding="utf-8") as file:
        auth = service(key=json.load(file), scopes=order["scopes"])
    return FinancialAgents(
        base_url,
        "ines-agent",
        auth,
        store=store,
        on_owner_needed=asks,
    )


def body_of(name: str) -> Any:
    return {"name": name, "payout_schema_id": "sepa_pt_eur", "details": IBAN, **PT}


def look(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    requests: list[str | None] = []
    page = agent.activity.list(limit=3).first_page()
    ids: set[str] = set()
    for item in agent.activity.list(limit=3):
        ids.add(item["id"])
        if len(ids) == 8:
            break
    agent.operations.list(limit=1, on_response=lambda seen: requests.append(seen.headers["x-request-id"])).first_page()
    raw = agent.fetch("/v1/operations/nothing")
    return {
        "page": len(page.items),
        "seen": len(ids),
        "accounts": [account["currency"] for account in agent.accounts.list()],
        "request_id": requests[0],
        "raw": [raw.status_code, raw.headers["content-type"]],
        "open": agent.system.public_config()["capabilities"]["transfers"]["execute"]["available"],
    }


def create(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    body = body_of(order["name"]) | order.get("body", {})
    operation = agent.beneficiaries.create(body, intent=order["name"])
    outcome = operation.wait(order.get("timeout", 60))
    return {"id": operation.id, "status": outcome.status, "code": getattr(outcome, "code", None)}


def payee(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    made = agent.payee(intent=order["name"], name=order["name"], details=order.get("details", IBAN), **PT)
    return {"id": made["id"], "state": made["state"]}


def allow(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    beneficiary = agent.payee(intent="python-payee", name=order["name"], details=IBAN, **PT)
    terms: Any = {"per_payment": "20", "per_day": "40", "total": "100", "payments": 5, "until": order["until"]}
    allowance = agent.allowance(intent="python-allowance", payee=beneficiary, **terms)
    paid = [
        agent.pay(intent="python-first", allowance=allowance, amount="12.50", currency="EUR", reference="Rent")
        for _ in range(2)
    ]
    tell({"allowance": allowance["state"], "caps": [allowance["daily_max"], allowance["weekly_max"]]})
    tell({"paid": [outcome.status for outcome in paid], "ids": [outcome.operation["id"] for outcome in paid]})
    agent.pay(intent="python-too-much", allowance=allowance, amount="20.01", currency="EUR")
    return {}


def pay(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    beneficiary = agent.payee(intent="python-payee-large", name="Large", details=IBAN, **PT)
    outcome = agent.pay(intent="python-large", payee=beneficiary, amount=order["amount"], currency="EUR")
    action = getattr(outcome, "action", None)
    return {"status": outcome.status, "id": outcome.operation["id"], "url": action and action["url"]}


def wait(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    return {"status": agent.wait(order["id"]).status}


def verify(agent: FinancialAgents, order: dict[str, Any]) -> dict[str, Any]:
    jwks = agent.fetch("/.well-known/webhooks-jwks.json").json()
    told: list[Any] = []
    for keys in ({"secrets": [order["secret"]]}, {"jwks": jwks}):
        webhook = verify_webhook(order["headers"], order["body"], **keys)
        told.append([webhook.id, webhook.payload["data"]["operation_id"]])
        try:
            verify_webhook(order["headers"], order["body"] + " ", **keys)
        except ClientError as error:
            told.append(error.code)
    return {"told": told}


ERRANDS = {one.__name__: one for one in (look, create, payee, allow, pay, wait, verify)}


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        try:
            with agent_of(order) as agent:
                tell({"done": ERRANDS[order["do"]](agent, order)})
        except NotSettledError as error:
            tell({"error": error.code, "uncertain": error.submission_uncertain, "status": error.outcome.status})
        except ApiProblem as error:
            paths = [field["path"] for field in error.fields]
            told = {"fields": paths, "request_id": error.request_id, "retryable": error.retryable}
            tell({"error": error.code, "uncertain": error.submission_uncertain, **told})
        except ClientError as error:
            tell({"error": error.code, "uncertain": error.submission_uncertain, "message": str(error)})


main()
