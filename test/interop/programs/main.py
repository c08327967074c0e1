"""A read, a write with its replay, and a refusal, by openapi-python-client. The session's key signs each proof (RFC 9449)."""

import base64
import hashlib
import json
import os
import time
import uuid

import httpx
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from financial_agents_api_client import Client
from financial_agents_api_client.api.beneficiaries import create_beneficiary, list_beneficiaries
from financial_agents_api_client.api.operations import get_operation
from financial_agents_api_client.models import CreateBeneficiaryRequest, Operation, Problem

with open(os.environ["SESSION_FILE"], encoding="utf-8") as file:
    session = json.load(file)


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Dpop(httpx.Auth):
    def __init__(self) -> None:
        self.key = serialization.load_pem_private_key(session["private_key_pem"].encode(), None)
        self.nonce = None

    def auth_flow(self, request):
        response = yield self.signed(request)
        self.nonce = response.headers.get("DPoP-Nonce", self.nonce)
        if "use_dpop_nonce" in response.headers.get("WWW-Authenticate", ""):
            response = yield self.signed(request)
            self.nonce = response.headers.get("DPoP-Nonce", self.nonce)

    def signed(self, request: httpx.Request) -> httpx.Request:
        token = session["access_token"]
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": session["public_jwk"]}
        claims = {
            "htm": request.method,
            "htu": str(request.url.copy_with(query=None, fragment=None)),
            "ath": encode(hashlib.sha256(token.encode()).digest()),
            "jti": str(uuid.uuid4()),
            "iat": int(time.time()),
        }
        if self.nonce is not None:
            claims["nonce"] = self.nonce
        text = encode(json.dumps(header).encode()) + "." + encode(json.dumps(claims).encode())
        r, s = utils.decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        request.headers["Authorization"] = f"DPoP {token}"
        request.headers["DPoP"] = text + "." + encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return request


client = Client(base_url=session["base_url"], httpx_args={"auth": Dpop()}, raise_on_unexpected_status=True)
body = CreateBeneficiaryRequest.from_dict(
    {
        "name": "Rent",
        "country": "PT",
        "currency": "EUR",
        "payout_schema_id": "sepa_pt_eur",
        "details": {"iban": "PT50000201231234567890154"},
    }
)


def write() -> Operation:
    answer = create_beneficiary.sync(client=client, body=body, idempotency_key=session["idempotency_key"])
    assert isinstance(answer, Operation), answer
    return answer


read = list_beneficiaries.sync(client=client, limit=10)
first, second = write(), write()
unknown = get_operation.sync(uuid.UUID(session["unknown_operation"]), client=client)
assert isinstance(unknown, Problem) and unknown.fields is None, unknown
print(
    json.dumps(
        {
            "beneficiaries": len(read.items),
            "operation": str(first.id),
            "replayed": str(second.id),
            "kind": first.kind,
            "state": second.state.value,
            "problem": unknown.code,
        }
    )
)
