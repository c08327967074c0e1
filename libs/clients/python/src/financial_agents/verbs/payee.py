"""The verb `payee`: a beneficiary that can be paid."""

from collections.abc import Mapping

from ..call_options import CallOptions
from ..caller import Caller
from ..client_error import ClientError
from ..generated.models import Beneficiary, CreateBeneficiaryRequest, PayoutSchema
from ..time_limit import time_limit
from .settled import settled, shown


async def payee(
    caller: Caller,
    *,
    intent: str,
    name: str,
    country: str,
    currency: str,
    details: Mapping[str, str],
    payout_schema: str | None,
    nickname: str | None,
    metadata: Mapping[str, str] | None,
    timeout: float | None,
) -> Beneficiary:
    """Adds a payee, or finds the one that this intent added, and waits until it can be paid."""
    with time_limit(timeout):
        body: CreateBeneficiaryRequest = {
            "name": name,
            "country": country,
            "currency": currency,
            "details": dict(details),
            "payout_schema_id": payout_schema or await _payout_schema_for(caller, country, currency, details),
        }
        if nickname is not None:
            body["nickname"] = nickname
        operation = await caller.write(
            "beneficiaries.create", [], intent, CallOptions(timeout, metadata=metadata), body={**body}
        )
        beneficiary_id = await settled(caller, operation, timeout, f'The payee "{name}"')
        return await shown(caller, "beneficiaries.get", beneficiary_id)


async def _payout_schema_for(caller: Caller, country: str, currency: str, details: Mapping[str, str]) -> str:
    """Finds the one payout schema that takes exactly these details; returns its id.

    Raises ClientError `invalid_use` if there is none, or several: its message lists those of the country and currency.
    """
    schemas: list[PayoutSchema] = await caller.items("payout_schemas.list", {"country": country, "currency": currency})
    fitting = [schema for schema in schemas if _takes(schema, details)]
    if len(fitting) == 1:
        return fitting[0]["id"]
    known = "; ".join(f"{schema['id']} ({_fields_of(schema)})" for schema in schemas)
    raise ClientError(
        "invalid_use",
        f"{len(fitting)} payout schemas take these details for {country} and {currency}. Give the details of one, or "
        f"name it as payout_schema: {known}.",
    )


def _fields_of(schema: PayoutSchema) -> str:
    return ", ".join(field["key"] if field["required"] else f"{field['key']}?" for field in schema["fields"])


def _takes(schema: PayoutSchema, details: Mapping[str, str]) -> bool:
    keys = {field["key"] for field in schema["fields"]}
    required = {field["key"] for field in schema["fields"] if field["required"]}
    return required <= details.keys() <= keys
