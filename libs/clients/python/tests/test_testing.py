import unittest
from typing import Any

from financial_agents import ApiProblem, ClientError, FinancialAgents, Outcome, memory_store
from financial_agents.testing import FakeApi, FaultName

RUI: Any = {
    "intent": "rui",
    "name": "Rui",
    "country": "PT",
    "currency": "EUR",
    "details": {"iban": "PT50000201231234567890154"},
}
RENT: Any = {"intent": "rent", "amount": "12.50", "currency": "EUR", "reference": "Rent"}


def client_of(api: FakeApi) -> FinancialAgents:
    return api.agent(store=memory_store(), retry_for=0)


def pay_rent(agent: FinancialAgents, timeout: float | None = None) -> Outcome:
    """A time-out of 0 does not wait for the outcome."""
    return agent.pay(**RENT, payee=agent.payee(**RUI), timeout=timeout)


class Testing(unittest.TestCase):
    def test_a_payment_is_made_once_and_told_with_its_payee(self) -> None:
        api = FakeApi()
        agent = client_of(api)
        outcome = pay_rent(agent)
        self.assertEqual(pay_rent(agent).operation, outcome.operation)
        [payee] = agent.beneficiaries.list()
        [payment] = api.payments
        self.assertEqual((payment.operation, payment.payee), (outcome.operation["id"], payee["id"]))
        self.assertEqual((payment.amount, payment.currency, payment.reference), ("12.50", "EUR", "Rent"))
        self.assertEqual(api.requests.count("POST /v1/spending-account/withdrawals"), 1)

    def test_a_payment_under_an_allowance_is_paid_to_its_payee(self) -> None:
        api = FakeApi()
        agent = client_of(api)
        payee = agent.payee(**RUI)
        allowance = agent.allowance(
            intent="bread", payee=payee, per_payment="20", total="20", payments=1, until="2030-01-01T00:00:00.000Z"
        )
        self.assertEqual(agent.pay(**RENT, allowance=allowance).status, "succeeded")
        [payment] = api.payments
        self.assertEqual((payment.payee, payment.allowance), (payee["id"], allowance["id"]))

    def test_each_fault_is_an_error_and_the_same_intent_then_pays_once(self) -> None:
        faults: list[tuple[FaultName, str, bool, int]] = [
            ("request_lost", "unreachable", True, 0),
            ("answer_lost", "unreachable", True, 1),
            ("no_connection", "unreachable", False, 0),
            ("no_answer", "unreachable", True, 0),
            ("portal", "http_403", True, 0),
            ("rate_limited", "rate_limited", False, 0),
            ("validation_failed", "validation_failed", False, 0),
            ("grant_ceiling_exceeded", "grant_ceiling_exceeded", False, 0),
        ]
        for name, code, uncertain, paid in faults:
            with self.subTest(name):
                api = FakeApi()
                agent = client_of(api)
                api.fault(name)
                with self.assertRaises((ApiProblem, ClientError)) as error:
                    pay_rent(agent)
                found: Any = error.exception
                self.assertEqual((found.code, found.submission_uncertain), (code, uncertain))
                self.assertEqual(len(api.payments), paid)
                self.assertEqual(pay_rent(agent).status, "succeeded")
                self.assertEqual(len(api.payments), 1)

    def test_the_end_of_the_access_is_that_of_all_later_calls(self) -> None:
        api = FakeApi()
        agent = client_of(api)
        api.fault("access_ended")
        for _ in range(2):
            with self.assertRaises(ClientError) as error:
                pay_rent(agent)
            self.assertEqual(error.exception.code, "access_ended")

    def test_a_payment_whose_answer_breaks_off_is_found_by_its_key(self) -> None:
        names: list[FaultName] = ["answer_cut", "acceptance_unknown"]
        for name in names:
            api = FakeApi()
            api.fault(name)
            self.assertEqual(pay_rent(client_of(api)).status, "succeeded")
            self.assertEqual(len(api.payments), 1)

    def test_a_fault_of_the_provider_is_an_outcome_now_and_later(self) -> None:
        faults: list[tuple[FaultName, str, str]] = [
            ("refuse", "failed", "failed"),
            ("fail", "still_running", "failed"),
            ("accept_drop_reply", "indeterminate", "succeeded"),
            ("drop_before_accept", "indeterminate", "failed"),
            ("settle_later", "still_running", "succeeded"),
        ]
        for name, first, last in faults:
            with self.subTest(name):
                api = FakeApi()
                agent = client_of(api)
                api.fault(name)
                self.assertEqual(pay_rent(agent, timeout=0).status, first)
                api.settle()
                self.assertEqual(pay_rent(agent).status, last)

    def test_a_fault_can_be_that_of_another_method_and_a_read_can_have_an_answer(self) -> None:
        api = FakeApi()
        agent = client_of(api)
        with self.assertRaises(ApiProblem) as unknown:
            agent.accounts.list().first_page()
        self.assertEqual(unknown.exception.code, "route_not_found")
        api.answer("accounts.list", {"items": [{"id": "one"}], "next_cursor": None})
        api.fault("insufficient_scope", on="accounts.list", times=2)
        for _ in range(2):
            with self.assertRaises(ApiProblem):
                agent.accounts.list().first_page()
        self.assertEqual([account["id"] for account in agent.accounts.list()], ["one"])


class AsyncTesting(unittest.IsolatedAsyncioTestCase):
    async def test_the_client_that_awaits_has_the_same_api(self) -> None:
        api = FakeApi()
        agent = api.async_agent()
        api.fault("answer_cut")
        payee = await agent.payee(**RUI)
        self.assertEqual((await agent.pay(**RENT, payee=payee)).status, "succeeded")
        self.assertEqual(len(api.payments), 1)
