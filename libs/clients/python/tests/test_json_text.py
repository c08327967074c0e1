"""The digest of a write is of the JSON that is sent, in the canonical form of both clients and the API."""

import json
import unittest
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

from financial_agents import ClientError, memory_store
from financial_agents.intent_record import request_hash
from financial_agents.json_text import canonical, json_text
from tests.fake_api import FakeApi, answered, lost, operation

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "typescript/vectors/request-hash.json").read_text("utf-8")
)


class Color(StrEnum):
    RED = "red"


class JsonText(unittest.TestCase):
    def test_the_digests_are_those_of_the_client_for_typescript(self) -> None:
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                if vector["sent"] is not None:
                    self.assertEqual(canonical(vector["sent"]), vector["canonical"])
                self.assertEqual(request_hash("/v1/things", vector["sent"]), vector["hash"])

    def test_values_become_the_json_that_is_sent(self) -> None:
        cest = timezone(timedelta(hours=2))
        for value, sent in (
            (Decimal("5.10"), '"5.10"'),
            (Decimal("1E+2"), '"100"'),
            (Decimal("-0.00"), '"-0.00"'),
            (datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), '"2026-12-31T23:59:59.000Z"'),
            (datetime(2026, 7, 1, 1, 0, 0, 123_456, tzinfo=cest), '"2026-06-30T23:00:00.123Z"'),
            (date(2026, 12, 31), '"2026-12-31"'),
            (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
            (MappingProxyType({"a": (1, None)}), '{"a": [1, null]}'),
            (Color.RED, '"red"'),
            ("\ud800é", '"\\ud800é"'),
        ):
            self.assertEqual(json_text({"v": value}), f'{{"v": {sent}}}')

    def test_a_body_that_has_no_json_is_refused_before_anything_is_sent(self) -> None:
        api = FakeApi()
        for value in (Decimal("NaN"), float("nan"), float("inf"), datetime(2026, 1, 1), {1, 2}, b"x", object()):
            with self.assertRaises(ClientError) as error:
                api.agent().write("/v1/things", {"v": value}, intent="one")
            self.assertEqual((error.exception.code, error.exception.submission_uncertain), ("invalid_use", False))
            with self.assertRaises(ClientError):
                api.agent().quotes.create({"v": value})  # type: ignore[typeddict-unknown-key]
        self.assertEqual(api.asked, [])

    def test_the_digest_is_of_what_is_sent(self) -> None:
        for body, same, other in (
            ({"amount": Decimal("1.91")}, {"amount": "1.91"}, {"amount": Decimal("2.92")}),
            ({"amount": Decimal("1.9")}, {"amount": "1.9"}, {"amount": Decimal("1.90")}),
            ({"n": -0.0}, {"n": 0}, {"n": 1}),
            ({"n": 1.0}, {"n": 1}, {"n": 1.5}),
            (
                {"until": datetime(2026, 12, 31, tzinfo=UTC)},
                {"until": "2026-12-31T00:00:00.000Z"},
                {"until": datetime(2027, 12, 31, tzinfo=UTC)},
            ),
        ):
            api = FakeApi(lost(), answered(operation(), 202))
            agent = api.agent(memory_store(), retry_for=0)
            with self.assertRaises(ClientError) as error:
                agent.write("/v1/things", body, intent="one")
            self.assertEqual(error.exception.code, "unreachable")
            with self.assertRaises(ClientError) as conflict:
                agent.write("/v1/things", other, intent="one")
            self.assertEqual(conflict.exception.code, "intent_conflict")
            self.assertEqual(agent.write("/v1/things", same, intent="one").id, "op-1")
