import unittest
from typing import Any
from unittest.mock import patch

import httpx

from financial_agents import ClientError, FinancialAgents, RepeatEntry, RequestEntry, ResponseEntry, service
from financial_agents.request_log import template_of
from tests.fake_api import ORIGIN, SERVICE_KEY, FakeApi, answered, lost, operation

PAYMENT: Any = {"allowance": "m-1", "amount": "9.90", "currency": "EUR", "intent": "rent"}


def agent(api: FakeApi, **hooks: Any) -> FinancialAgents:
    auth = service(key=SERVICE_KEY, scopes=["operations:read"])
    client = httpx.Client(transport=httpx.MockTransport(api.handle))
    return FinancialAgents(ORIGIN, "app", auth, http_client=client, **hooks)


class RequestLog(unittest.TestCase):
    def test_each_request_repetition_and_answer_is_an_entry(self) -> None:
        seen: list[RequestEntry] = []
        hooks = dict.fromkeys(("on_request", "on_response", "on_repeat"), seen.append)
        api = FakeApi(lost(), answered(operation(state="succeeded"), 202, {"x-request-id": "request-1"}))
        with patch("financial_agents.drive.time.sleep"), self.assertLogs("financial_agents", "DEBUG") as logged:
            agent(api, **hooks).pay(**PAYMENT)
        self.assertEqual([type(entry) for entry in seen], [RequestEntry, RepeatEntry, RequestEntry, ResponseEntry])
        self.assertEqual({entry.path for entry in seen}, {"/v1/mandates/{mandate_id}/transfers"})
        [*_, last] = seen
        assert isinstance(last, ResponseEntry)
        self.assertEqual((last.status, last.request_id), (202, "request-1"))
        self.assertNotRegex(str(logged.output), "m-1|9.90|token-1|rent")

    def test_a_route_is_named_by_its_template(self) -> None:
        for path, template in (
            ("/v1/operations/op-1", "/v1/operations/{id}"),
            ("/v1/operations?idempotency_key=secret", "/v1/operations"),
            ("/v1/accounts/withdrawal-limits?schema=s", "/v1/accounts/withdrawal-limits"),
            ("/v1/to-come/one", "/v1/to-come/one"),
        ):
            self.assertEqual(template_of("GET", path), template)

    def test_an_error_of_a_hook_is_certain_before_the_request_and_uncertain_after_it(self) -> None:
        broken = OSError("the log is full")

        def fail(_: RequestEntry) -> None:
            raise broken

        api = FakeApi(answered(operation(), 202))
        with self.assertRaises(OSError):
            agent(api, on_request=fail).pay(**PAYMENT)
        self.assertEqual(api.asked, [])
        with self.assertRaises(ClientError) as error:
            agent(api, on_response=fail).pay(**PAYMENT)
        self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("outcome_unknown", True))
