import unittest
from typing import Any
from unittest.mock import patch

import httpx

from financial_agents import (
    ApiProblem,
    ClientError,
    Failed,
    FinancialAgents,
    Indeterminate,
    NeedsOwner,
    OwnerNeeded,
    StillRunning,
    Succeeded,
    service,
)
from tests.fake_api import SERVICE_KEY, Answer, FakeApi, answered, lost, operation, refused


class Waiting(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 0.0
        clock = patch.multiple("financial_agents.waiting.time", sleep=self.sleep, monotonic=lambda: self.now)
        clock.start()
        self.addCleanup(clock.stop)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def wait(self, *answers: Answer, first: dict[str, Any] | None = None, timeout: float = 60) -> Any:
        api = FakeApi(answered(first or operation()), *answers)
        outcome = api.agent().wait("op-1", timeout)
        self.assertEqual(api.answers, [])
        self.paths = api.paths()
        return outcome

    def test_each_state_has_its_outcome(self) -> None:
        self.assertIsInstance(self.wait(answered(operation(state="succeeded"))), Succeeded)
        failed = self.wait(answered(operation(state="failed", failure_code="provider_refused")))
        self.assertEqual((failed.status, failed.code), ("failed", "provider_refused"))
        self.assertIsInstance(failed, Failed)
        unclear = operation(state="indeterminate", next_reconcile_at="2026-11-23T08:00:00.000Z")
        reported = self.wait(first=unclear, timeout=0)
        self.assertIsInstance(reported, Indeterminate)
        self.assertEqual(reported.next_reconcile_at.year, 2026)

    def test_a_time_out_is_an_outcome_of_its_own_and_so_is_a_time_without_network(self) -> None:
        self.assertIsInstance(self.wait(timeout=0), StillRunning)
        self.assertIsInstance(self.wait(lost(), timeout=0.3), StillRunning)
        self.assertIsInstance(self.wait(lost(), answered(operation(state="succeeded"))), Succeeded)

    def test_an_error_of_the_callback_is_the_cause(self) -> None:
        action = {"type": "grant_approval", "url": "https://bank.example/a", "poll_after_ms": 500, "expires_at": None}
        api = FakeApi(answered(operation(state="requires_action", action_required=action)))
        broken = RuntimeError("the callback broke")

        def show(_: OwnerNeeded) -> None:
            raise broken

        agent = FinancialAgents(
            "https://api.example",
            "app",
            service(key=SERVICE_KEY, scopes=[]),
            on_owner_needed=show,
            http_client=httpx.Client(transport=httpx.MockTransport(api.handle)),
        )
        with self.assertRaises(ClientError) as error:
            agent.wait("op-1")
        self.assertEqual(error.exception.code, "wait_failed")
        self.assertIs(error.exception.__cause__, broken)

    def test_an_added_payee_that_cannot_be_read_is_uncertain(self) -> None:
        api = FakeApi(answered(operation(state="succeeded")), refused("insufficient_scope", 403))
        with self.assertRaises(ApiProblem) as error:
            api.agent().payee(
                intent="rui", name="Rui", country="PT", currency="EUR", details={}, payout_schema="sepa_pt_eur"
            )
        self.assertTrue(error.exception.submission_uncertain)

    def test_a_wait_can_be_endless(self) -> None:
        done = answered(operation(state="succeeded"))
        for silence in (lost(), answered(operation())):
            self.assertIsInstance(self.wait(*[silence] * 1_800, done, timeout=float("inf")), Succeeded)

    def test_an_approval_without_a_callback_is_the_outcome(self) -> None:
        action = {"type": "grant_approval", "url": "https://bank.example/a", "poll_after_ms": 500, "expires_at": None}
        outcome = self.wait(first=operation(state="requires_action", action_required=action))
        self.assertIsInstance(outcome, NeedsOwner)
        self.assertEqual(outcome.action["url"], action["url"])

    def test_an_approval_is_shown_once_and_polled_as_often_as_the_api_says(self) -> None:
        action = {"type": "grant_approval", "url": "https://bank.example/a", "poll_after_ms": 500, "expires_at": None}
        waiting = operation(state="requires_action", action_required=action)
        api = FakeApi(*[answered(waiting)] * 4, answered(operation(state="succeeded")))
        shown: list[OwnerNeeded] = []
        agent = FinancialAgents(
            "https://api.example",
            "app",
            service(key=SERVICE_KEY, scopes=[]),
            on_owner_needed=shown.append,
            http_client=httpx.Client(transport=httpx.MockTransport(api.handle)),
        )
        self.assertIsInstance(agent.wait("op-1"), Succeeded)
        self.assertEqual([needed.url for needed in shown], [action["url"]])
        self.assertEqual(set(api.paths()[1:]), {"POST /v1/operations/op-1/approval/poll"})
        self.assertAlmostEqual(self.now, 0.15 + 3 * 0.5)
