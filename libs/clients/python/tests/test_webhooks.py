import hmac
import time
import unittest
from base64 import b64encode
from email.message import Message
from typing import Any

import httpx
from joserfc.jwk import OKPKey
from joserfc.jws import JWSRegistry

from financial_agents import ClientError, verify_webhook

RAW = b"a secret of the subscription, 32"
SECRET = f"whsec_{b64encode(RAW).decode()}"
BODY = '{"type": "operation.state_to_come", "data": {"operation_id": "ü", "kind": "a_kind_to_come"}}'
KEY = OKPKey.generate_key("Ed25519")
JWKS: Any = {"keys": [{**KEY.as_dict(private=False), "kid": "one", "use": "sig"}]}


def signed(at: float | None = None, body: str = BODY) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    content = f"msg_1.{timestamp}.{body}".encode()
    v1 = b64encode(hmac.digest(RAW, content, "sha256")).decode()
    v1a = b64encode(JWSRegistry.algorithms["EdDSA"].sign(content, KEY)).decode()
    return {
        "Webhook-Id": "msg_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v9,AAAA v1,!!! v1,{v1} v1a,{v1a}",
    }


class Webhooks(unittest.TestCase):
    def test_a_webhook_is_accepted_by_its_secret_and_by_the_published_key_alone_whatever_event_of_a_later_version_it_tells(
        self,
    ) -> None:
        other = f"whsec_{b64encode(b'another').decode()}"
        either: list[dict[str, Any]] = [{"secrets": [other, SECRET]}, {"jwks": JWKS}]
        for keys in either:
            webhook = verify_webhook(signed(), BODY.encode(), **keys)
            self.assertEqual((webhook.id, webhook.payload["type"]), ("msg_1", "operation.state_to_come"))

    def test_headers_are_read_from_every_shape_in_which_servers_have_them(self) -> None:
        given = signed()
        message = Message()
        for name, value in given.items():
            message[name] = value
        shapes: list[Any] = [
            list(given.items()),
            [(name.lower().encode(), value.encode()) for name, value in given.items()],
            {name: [value] for name, value in given.items()},
            message,
            httpx.Headers(given),
        ]
        for headers in shapes:
            with self.subTest(type(headers).__name__):
                self.assertEqual(verify_webhook(headers, BODY, secrets=[SECRET]).id, "msg_1")

    def test_signatures_in_several_headers_are_all_tried_and_a_body_may_be_any_bytes(self) -> None:
        given = signed()
        headers = [*given.items(), ("webhook-signature", "v1,AAAA")]
        self.assertEqual(verify_webhook(headers[::-1], bytearray(BODY.encode()), secrets=[SECRET]).id, "msg_1")
        self.assertEqual(verify_webhook(given, memoryview(BODY.encode()), secrets=[SECRET]).id, "msg_1")

    def test_everything_else_is_refused(self) -> None:
        now = time.time()
        cases: list[tuple[str, dict[str, str], str | bytes, dict[str, Any]]] = [
            ("another body", signed(), BODY + " ", {}),
            ("another id", signed() | {"Webhook-Id": "msg_2"}, BODY, {}),
            ("another secret", signed(), BODY, {"secrets": [f"whsec_{b64encode(b'no').decode()}"], "jwks": None}),
            (
                "another key",
                signed(),
                BODY,
                {"secrets": [], "jwks": {"keys": [OKPKey.generate_key("Ed25519").as_dict(private=False)]}},
            ),
            ("no signature", signed() | {"webhook-signature": ""}, BODY, {}),
            ("six minutes ago", signed(now - 360), BODY, {}),
            ("six minutes ahead", signed(now + 360), BODY, {}),
            ("a time that is none", signed() | {"webhook-timestamp": "1e9"}, BODY, {}),
            ("a time in other digits", signed() | {"webhook-timestamp": "\u0661\u0662"}, BODY, {}),
            ("a signature that is not ASCII", signed() | {"webhook-signature": "v1,é v1a,é"}, BODY, {}),
            ("an id that is no Unicode", signed() | {"Webhook-Id": "\udc80"}, BODY, {}),
            ("a body that is no Unicode", signed(), "\udc80", {}),
            ("a clock that is none", signed(), BODY, {"now": float("nan")}),
        ]
        both: dict[str, Any] = {"secrets": [SECRET], "jwks": JWKS}
        for name, headers, body, keys in cases:
            with self.subTest(name), self.assertRaises(ClientError) as error:
                verify_webhook(headers, body, **(both | keys))
            self.assertEqual(error.exception.code, "webhook_invalid")

    def test_a_parsed_body_no_keys_a_secret_and_a_tolerance_that_are_none_are_a_wrong_use(self) -> None:
        parsed: Any = {"type": "operation.state_to_come"}
        uses: list[tuple[Any, dict[str, Any]]] = [
            (parsed, {"secrets": [SECRET]}),
            (BODY, {}),
            (BODY, {"secrets": ["?"]}),
            (BODY, {"secrets": ["é"]}),
            (BODY, {"secrets": [SECRET], "tolerance_s": float("nan")}),
            (BODY, {"secrets": [SECRET], "tolerance_s": -1}),
        ]
        for body, keys in uses:
            with self.assertRaises(ClientError) as error:
                verify_webhook(signed(), body, **keys)
            self.assertEqual(error.exception.code, "invalid_use")
