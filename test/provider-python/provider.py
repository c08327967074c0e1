"""A small provider that speaks the Provider API, written from libs/provider/http/generated/openapi.json alone.

It is the second implementation: where it and the conformance kit disagree, the document is unclear. It needs Python 3.9 and nothing
else, and keeps everything in SQLite. Sandbox only: it trusts everybody who knows the credentials of a connection.

    python3 provider.py [--port 0] [--database file]

The first line that it prints is its address.
"""

import argparse
import hashlib
import json
import re
import secrets
import sqlite3
import threading
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

BASE = "/provider/v1"
DECIMAL = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")

SCHEMA = {
    "id": "iban_nl_eur",
    "name": "Netherlands, IBAN",
    "country": "NL",
    "currency": "EUR",
    "rail": "sepa.credit_transfer",
    "fields": [
        {
            "key": "iban",
            "label": "IBAN",
            "type": "string",
            "pattern": "^NL[0-9]{2}[A-Z]{4}[0-9]{10}$",
            "min_length": 18,
            "max_length": 18,
            "options": None,
            "required": True,
        }
    ],
    "example_details": {"iban": "NL91ABNA0417164300"},
}
HIGHEST = Decimal("10000")
RATES = {"EUR": Decimal("1"), "GBP": Decimal("1.20")}
SERVICE = {
    "reference": "book_tokens", "name": "Book tokens", "category": "vouchers", "documentation_url": None,
    "product_ids": ["token-20"],
}  # fmt: skip

PEOPLE = {
    "joost": {"name": "Joost de Vries", "approves": False},
    "saskia": {"name": "Saskia Bakker", "approves": True},
    "reader": {"name": "Willem Visser", "approves": False},
    "other": {"name": "Anneke Smit", "approves": False},
}

TABLES = """
CREATE TABLE IF NOT EXISTS connections (
  credentials TEXT PRIMARY KEY, ref TEXT UNIQUE NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'active');
CREATE TABLE IF NOT EXISTS records (
  number INTEGER PRIMARY KEY, ref TEXT UNIQUE NOT NULL, person TEXT NOT NULL, client_reference TEXT NOT NULL,
  request TEXT NOT NULL, kind TEXT NOT NULL, resource TEXT, content TEXT NOT NULL, status TEXT NOT NULL, settled_at TEXT,
  failure_code TEXT, state TEXT, tail TEXT, oddity TEXT, UNIQUE (person, client_reference));
CREATE INDEX IF NOT EXISTS records_of_resource ON records (resource);
CREATE TABLE IF NOT EXISTS money (person TEXT PRIMARY KEY, held TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS faults (client_reference TEXT NOT NULL, fault TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
  token TEXT PRIMARY KEY, ref TEXT UNIQUE NOT NULL, kind TEXT NOT NULL, person TEXT NOT NULL, client_reference TEXT NOT NULL,
  request TEXT NOT NULL, content TEXT NOT NULL, expires_at TEXT NOT NULL, decision TEXT, UNIQUE (kind, person, client_reference));
"""

# The new state after an action, by the state before it. An action in a state that is not listed is refused.
MOVES = {
    "freezeCard": {"active": "frozen", "frozen": "frozen"},
    "unfreezeCard": {"active": "active", "frozen": "active"},
    "closeCard": {"active": "closed", "frozen": "closed", "closed": "closed"},
    "suspendMandate": {"active": "suspended", "suspended": "suspended"},
    "revokeMandate": {"active": "revoked", "suspended": "revoked", "revoked": "revoked"},
}


class Refused(Exception):
    """A refusal: the request was not executed, and never will be."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


def now():
    return datetime.now(timezone.utc)


def text_of(timestamp):
    return timestamp.strftime("%Y-%m-%dT%H:%M:%S.") + f"{timestamp.microsecond // 1000:03d}Z"


def timestamp_of(text):
    if not isinstance(text, str) or not RFC3339.fullmatch(text):
        raise Refused(400, "invalid_request")
    whole, fraction, zone = re.fullmatch(r"([^.Z+]{19})(\.\d+)?(.+)", text).groups()
    zone = "+00:00" if zone == "Z" else zone
    try:
        return datetime.fromisoformat(whole + zone) + timedelta(seconds=float(fraction or 0))
    except ValueError:
        raise Refused(400, "invalid_request") from None


# --- The form of requests ---------------------------------------------------------------------------------------------


def need(holds):
    if not holds:
        raise Refused(400, "invalid_request")


def member(body, name, kind=str, least=0, most=10_000, nullable=False):
    need(isinstance(body, dict) and (nullable or name in body))
    value = body.get(name)
    if nullable and value is None:
        return None
    need(isinstance(value, kind) and (kind is bool or not isinstance(value, bool)))
    if isinstance(value, (str, int)) and kind is not bool:
        need(least <= (len(value) if isinstance(value, str) else value) <= most)
    return value


def decimal(body, name):
    value = member(body, name, least=1, most=64)
    need(DECIMAL.fullmatch(value) and Decimal(value) > 0)
    return Decimal(value)


def currency(body, name):
    value = member(body, name)
    need(re.fullmatch("[A-Z]{3}", value))
    return value


def amount(body):
    return {"amount": str(decimal(body, "amount")), "currency": currency(body, "currency")}


def address(body, nullable):
    value = member(body, "return_url", nullable=nullable, most=2048)
    need(value is None or urlsplit(value).scheme in ("http", "https"))
    return value


def read_beneficiary(body):
    return {
        "name": member(body, "name", least=1, most=200),
        "nickname": member(body, "nickname", nullable=True),
        "payout_schema_id": member(body, "payout_schema_id"),
        "country": member(body, "country", least=2, most=2),
        "currency": member(body, "currency", least=3, most=3),
        "details": member(body, "details", dict),
        "is_external": member(body, "is_external", bool, nullable=True),
        "purpose_code": member(body, "purpose_code", nullable=True),
    }


LIMITS = ("per_payment_max", "daily_max", "weekly_max", "monthly_max", "total_cap")


def read_mandate(body):
    timestamp_of(member(body, "expires_at"))
    return {
        "beneficiary_reference": member(body, "beneficiary_reference", least=1, most=200),
        **{name: str(decimal(body, name)) for name in LIMITS},
        "payment_count": member(body, "payment_count", int, least=1, most=10_000),
        "expires_at": body["expires_at"],
    }


def read_transfer(body):
    return {
        "beneficiary_reference": member(body, "beneficiary_reference", least=1, most=200),
        "purpose_code": member(body, "purpose_code", nullable=True, least=1, most=128),
        "memo": member(body, "memo", nullable=True, most=8192),
        **amount(body),
    }


def read_mandate_transfer(body):
    return {"memo": member(body, "reference", nullable=True, most=8192), **amount(body)}


def read_card(body):
    card_type = member(body, "type")
    need(card_type in ("virtual", "physical"))
    label = member(body, "label", nullable=True, most=80)
    return {"label": label, "type": card_type, "currency": currency(body, "currency")}


def read_nothing(_body):
    return {}


# --- The provider -----------------------------------------------------------------------------------------------------


class Provider:
    def __init__(self, database):
        self.db = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + TABLES)
        self.lock = threading.Lock()
        for person in PEOPLE:
            self.db.execute("INSERT OR IGNORE INTO money VALUES (?, '1000000.00')", (person,))
        for person in ("reader", "other"):
            self.db.execute(
                "INSERT OR IGNORE INTO connections VALUES (?, ?, ?, 'open')",
                (f"connection-of-{person}", f"con_{person}", person),
            )

    def one(self, sql, *values):
        return self.db.execute(sql, values).fetchone()

    def all(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def transaction(self, work, *given):
        """The reference and the effect are committed together, or neither is."""
        with self.lock:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                done = work(*given)
                self.db.execute("COMMIT")
                return done
            except BaseException:
                self.db.execute("ROLLBACK")
                raise

    def connection(self, credentials):
        found = self.one("SELECT * FROM connections WHERE credentials = ?", credentials)
        if found is None:
            raise Refused(401, "unknown_credentials")
        return found

    def take_fault(self, reference, among):
        for row in self.all("SELECT rowid, fault FROM faults WHERE client_reference = ? ORDER BY rowid", reference):
            if row["fault"] in among:
                self.db.execute("DELETE FROM faults WHERE rowid = ?", (row["rowid"],))
                return row["fault"]
        return None

    # --- Instructions -------------------------------------------------------------------------------------------------

    def instruct(self, call, ref, connection, body):
        person = connection["person"]
        reference = member(body, "client_reference", least=1, most=200)
        content = INSTRUCTIONS[call](body)
        deadline = body.get("valid_until")
        until = None if deadline is None else timestamp_of(deadline)
        request = digest([call, ref, content])

        known = self.one("SELECT * FROM records WHERE person = ? AND client_reference = ?", person, reference)
        if known is not None:
            if known["request"] != request:
                raise Refused(409, "reference_reused")
            return 200, {"data": shown(known)}

        fault = self.take_fault(reference, ("refuse", "reject", "settle_later", "two_records", "reopened"))
        if fault in ("refuse", "reject"):
            # The fault is used up, although the instruction is not executed.
            self.db.execute("COMMIT")
            self.db.execute("BEGIN IMMEDIATE")
            raise Refused(403, "refused") if fault == "refuse" else Refused(422, "account_closed")
        if until is not None and now() > until:
            raise Refused(422, "submission_expired")
        state = self.one("SELECT state FROM connections WHERE credentials = ?", connection["credentials"])["state"]
        if state == "revoked" and call != "revokeConnection":
            raise Refused(403, "connection_revoked")
        self.check(call, ref, person, reference, content)
        return self.keep(call, ref, connection, reference, request, content, fault)

    def check(self, call, ref, person, reference, content):
        if call == "createBeneficiary":
            if content["payout_schema_id"] != SCHEMA["id"]:
                raise Refused(422, "unknown_payout_schema")
            fits = (content["country"], content["currency"]) == (SCHEMA["country"], SCHEMA["currency"])
            iban = content["details"].get("iban")
            if not fits or not isinstance(iban, str) or not re.fullmatch(SCHEMA["fields"][0]["pattern"], iban):
                raise Refused(422, "invalid_details")
        if call in ("createMandate", "createTransfer"):
            self.check_terms(call, person, content)
            self.check_approval(call, person, reference, content)
        if call == "createCard" and content["currency"] not in RATES:
            raise Refused(422, "currency_not_offered")
        if call in MOVES:
            resource = self.resource(ref, person, "createCard" if call.endswith("Card") else "createMandate")
            if self.state_of(resource) not in MOVES[call]:
                raise Refused(422, f"{'card' if call.endswith('Card') else 'mandate'}_{self.state_of(resource)}")
        if call == "createMandateTransfer":
            self.check_use(self.resource(ref, person, "createMandate"), person, content)

    def check_terms(self, call, person, content):
        self.resource(content["beneficiary_reference"], person, "createBeneficiary")
        if call == "createTransfer":
            self.check_payment(person, content)
        elif timestamp_of(content["expires_at"]) <= now():
            raise Refused(422, "expires_in_the_past")
        elif any(Decimal(value).as_tuple().exponent < -2 for value in map(content.get, LIMITS)):
            raise Refused(422, "amount_too_fine")

    def check_approval(self, call, person, reference, content):
        if not PEOPLE[person]["approves"]:
            return
        page = self.one(
            "SELECT * FROM pages WHERE kind = 'approval' AND person = ? AND client_reference = ?", person, reference
        )
        terms = digest([KINDS[call], content])
        if page is None or page["decision"] != "granted" or json.loads(page["content"])["terms"] != terms:
            raise Refused(422, "approval_required")

    def check_payment(self, person, content):
        value = Decimal(content["amount"])
        if content["currency"] != SCHEMA["currency"]:
            raise Refused(422, "wrong_currency")
        if value.as_tuple().exponent < -2:
            raise Refused(422, "amount_too_fine")
        if value > HIGHEST:
            raise Refused(422, "over_limit")
        if len(content["memo"] or "") > 140:
            raise Refused(422, "memo_length")
        if value > self.held(person):
            raise Refused(422, "insufficient_funds")

    def check_use(self, mandate, person, content):
        terms, state = json.loads(mandate["content"]), self.state_of(mandate)
        if state != "active":
            raise Refused(422, f"mandate_{state}")
        paid = self.all(
            "SELECT * FROM records WHERE resource = ? AND kind = 'createMandateTransfer' AND status <> 'failed'", mandate["ref"]
        )
        value = Decimal(content["amount"])
        total = sum((Decimal(json.loads(one["content"])["amount"]) for one in paid), value)
        if value > Decimal(terms["per_payment_max"]) or total > Decimal(terms["total_cap"]):
            raise Refused(422, "mandate_limit_exceeded")
        if len(paid) >= terms["payment_count"]:
            raise Refused(422, "mandate_exhausted")
        self.check_payment(person, content)

    def keep(self, call, ref, connection, reference, request, content, fault):
        person = connection["person"]
        number = self.one("SELECT coalesce(max(number), 0) + 1 AS next FROM records")["next"]
        resource = connection["ref"] if call == "revokeConnection" else ref or None
        values = (number, f"{call[:3]}{number:09d}", person, reference, request, call, resource, json.dumps(content))
        self.db.execute(
            """INSERT INTO records (number, ref, person, client_reference, request, kind, resource, content, status, tail, oddity)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)""",
            (*values, f"{number % 10_000:04d}", fault if fault in ("two_records", "reopened") else None),
        )
        if "amount" in content:
            self.pay(person, -Decimal(content["amount"]))
        if fault is None:
            self.settle(number, "succeeded")
        record = self.one("SELECT * FROM records WHERE number = ?", number)
        return (201 if record["status"] == "succeeded" else 202), {"data": shown(record)}

    def settle(self, number, status):
        """Makes a pending record final, once, with its effect."""
        record = self.one("SELECT * FROM records WHERE number = ? AND status = 'pending'", number)
        if record is None:
            return
        reason = "account_closed" if status == "failed" else None
        self.db.execute(
            "UPDATE records SET status = ?, settled_at = ?, failure_code = ? WHERE number = ?",
            (status, text_of(now()), reason, number),
        )
        call, content = record["kind"], json.loads(record["content"])
        if status == "failed":
            if "amount" in content:
                self.pay(record["person"], Decimal(content["amount"]))
            return
        if call in ("createCard", "createMandate"):
            self.db.execute("UPDATE records SET state = 'active' WHERE number = ?", (number,))
        if call in MOVES:
            before = self.one("SELECT state FROM records WHERE ref = ?", record["resource"])["state"]
            after = MOVES[call].get(before, before)
            self.db.execute("UPDATE records SET state = ? WHERE ref = ?", (after, record["resource"]))
        if call == "revokeConnection":
            self.db.execute("UPDATE connections SET state = 'revoked' WHERE ref = ?", (record["resource"],))

    def resource(self, ref, person, kind):
        found = self.one("SELECT * FROM records WHERE ref = ? AND person = ? AND kind = ?", ref, person, kind)
        if found is None or (kind == "createBeneficiary" and found["status"] != "succeeded"):
            raise Refused(422, {"createCard": "unknown_card", "createMandate": "unknown_mandate"}.get(kind, "unknown_beneficiary"))
        return found

    def state_of(self, resource):
        if resource["status"] != "succeeded":
            return resource["status"]
        if resource["kind"] == "createMandate" and resource["state"] in ("active", "suspended"):
            if timestamp_of(json.loads(resource["content"])["expires_at"]) <= now():
                return "expired"
        return resource["state"]

    def held(self, person):
        return Decimal(self.one("SELECT held FROM money WHERE person = ?", person)["held"])

    def pay(self, person, change):
        self.db.execute("UPDATE money SET held = ? WHERE person = ?", (str(self.held(person) + change), person))

    # --- Searches -----------------------------------------------------------------------------------------------------

    def search(self, call, connection, query):
        asked = {name: query.get(name) for name in ("client_reference", "reference", "action_client_reference", "action_reference")}
        need(any(asked.values()) and all(value is None or 1 <= len(value) <= 200 for value in asked.values()))
        person = connection["person"]
        if call in ("findBeneficiaries", "findTransfers"):
            kinds = ("createBeneficiary",) if call == "findBeneficiaries" else ("createTransfer", "createMandateTransfer")
            records = self.matching(person, kinds, asked["client_reference"], asked["reference"])
            results = [view for record in records for view in views(record)]
        else:
            results = self.resources(call, connection, asked)
        return {"data": results, "has_more": False, "as_of": text_of(now())}

    def matching(self, person, kinds, reference, ref):
        marks = ",".join("?" * len(kinds))
        return self.all(
            f"SELECT * FROM records WHERE person = ? AND kind IN ({marks}) AND (client_reference = ? OR ref = ?) ORDER BY number",
            person, *kinds, reference, ref,
        )  # fmt: skip

    def resources(self, call, connection, asked):
        person = connection["person"]
        kinds = {
            "findCards": ("freezeCard", "unfreezeCard", "closeCard"),
            "findMandates": ("suspendMandate", "revokeMandate"),
            "findConnections": ("revokeConnection",),
        }[call]
        actions = self.matching(person, kinds, asked["action_client_reference"], asked["action_reference"])
        found = {action["resource"]: [] for action in actions}
        for action in actions:
            found[action["resource"]] += views(action)
        if call == "findConnections":
            refs = dict.fromkeys([connection["ref"], *found])
            states = {ref: self.one("SELECT state FROM connections WHERE ref = ?", ref)["state"] for ref in refs}
            return [{"reference": ref, "state": states[ref], "actions": found.get(ref, [])} for ref in refs]
        creation = "createCard" if call == "findCards" else "createMandate"
        named = self.matching(person, (creation,), asked["client_reference"], asked["reference"])
        for ref in found:
            if all(one["ref"] != ref for one in named):
                named += self.all("SELECT * FROM records WHERE ref = ?", ref)
        return [
            {**view, "state": self.state_of(resource), "actions": found.get(resource["ref"], [])}
            for resource in named
            for view in views(resource)
        ]

    # --- Pages --------------------------------------------------------------------------------------------------------

    def start(self, kind, person, body, content, lifetime, origin):
        reference = member(body, "client_reference", least=1, most=200)
        request = digest([kind, content])
        known = self.one(
            "SELECT * FROM pages WHERE kind = ? AND person = ? AND client_reference = ?", kind, person, reference
        )
        if known is None:
            expired = self.take_fault(reference, ("expire_approval",)) is not None
            ends = now() + (timedelta(0) if expired else lifetime)
            self.db.execute(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    secrets.token_urlsafe(24), f"{kind}_{secrets.token_urlsafe(18)}", kind, person, reference, request,
                    json.dumps(content), text_of(ends),
                ),
            )  # fmt: skip
            known = self.one(
                "SELECT * FROM pages WHERE kind = ? AND person = ? AND client_reference = ?", kind, person, reference
            )
        elif known["request"] != request:
            raise Refused(409, "reference_reused")
        page = {
            "reference": known["ref"],
            "client_reference": reference,
            "hosted_url": f"{origin}/pages/{known['token']}",
            "expires_at": known["expires_at"],
        }
        return known, page

    def decision(self, page):
        if page["decision"] is not None:
            return page["decision"]
        return "expired" if timestamp_of(page["expires_at"]) <= now() else "pending"

    def prepare_approval(self, connection, body, origin):
        self.refuse_revoked(connection)
        person, instruction = connection["person"], member(body, "instruction", dict)
        return_url, kind = address(body, True), member(instruction, "kind")
        need(kind in ("mandate_create", "transfer"))
        terms = (read_transfer if kind == "transfer" else read_mandate)(member(instruction, "terms", dict))
        self.check_terms("createTransfer" if kind == "transfer" else "createMandate", person, terms)
        if not PEOPLE[person]["approves"]:
            reference = member(body, "client_reference", least=1, most=200)
            return 201, {"data": {"status": "not_needed", "client_reference": reference}}
        content = {"return_url": return_url, "terms": digest([kind, terms])}
        kept, page = self.start("approval", person, body, content, timedelta(minutes=10), origin)
        return 201, {"data": {**page, "status": self.decision(kept), "poll_after_ms": 1000}}

    def read_approval(self, ref, connection):
        page = self.one(
            "SELECT * FROM pages WHERE kind = 'approval' AND ref = ? AND person = ?", ref, connection["person"]
        )
        if page is None:
            raise Refused(404, "unknown_approval")
        return {"data": {"reference": ref, "status": self.decision(page)}}

    def reveal(self, connection, body, origin):
        self.refuse_revoked(connection)
        ref = member(body, "card_reference", least=1, most=200)
        card = self.one(
            "SELECT * FROM records WHERE kind = 'createCard' AND ref = ? AND person = ?", ref, connection["person"]
        )
        if card is None:
            raise Refused(404, "unknown_card")
        if self.state_of(card) not in ("active", "frozen"):
            raise Refused(409, f"card_{self.state_of(card)}")
        content = {"card": ref}
        _, page = self.start("reveal", connection["person"], body, content, timedelta(minutes=2), origin)
        return 201, {"data": {**page, "card_reference": ref}}

    def check_identity(self, connection, body, _origin):
        self.refuse_revoked(connection)
        member(body, "client_reference", least=1, most=200)
        address(body, True)
        raise Refused(409, "identity_verified")

    def sign_in(self, body, origin):
        content = {"return_url": address(body, False)}
        _, page = self.start("signin", "", body, content, timedelta(minutes=10), origin)
        return 201, {"data": page}

    def read_sign_in(self, ref):
        page = self.one("SELECT * FROM pages WHERE kind = 'signin' AND ref = ?", ref)
        if page is None:
            raise Refused(404, "unknown_authentication")
        status = self.decision(page)
        if status in ("pending", "declined", "expired"):
            return {"data": {"status": status}}
        connection = self.one("SELECT * FROM connections WHERE credentials = ?", status)
        customer = {
            "reference": connection["person"],
            "display_name": PEOPLE[connection["person"]]["name"],
            "locale": "nl-NL",
            "timezone": "Europe/Amsterdam",
        }
        return {"data": {"status": "approved", "credentials": status, "customer": customer}}

    def decide(self, token, decision):
        """Decides once. The decision of a sign-in is the credentials of the new connection."""
        page = self.one("SELECT * FROM pages WHERE token = ?", token)
        if page is None or self.decision(page) != "pending":
            raise Refused(404, "unknown_page")
        self.db.execute("UPDATE pages SET decision = ? WHERE token = ?", (decision, token))
        return json.loads(page["content"]).get("return_url")

    def connect(self, person):
        credentials = secrets.token_urlsafe(24)
        ref = f"con_{secrets.token_hex(8)}"
        self.db.execute("INSERT INTO connections VALUES (?, ?, ?, 'open')", (credentials, ref, person))
        return credentials

    def refuse_revoked(self, connection):
        state = self.one("SELECT state FROM connections WHERE credentials = ?", connection["credentials"])["state"]
        if state == "revoked":
            raise Refused(403, "connection_revoked")

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read(self, call, connection, asked):
        """The data of a read."""
        person = connection["person"]
        if call == "identityStatus":
            return {"status": "verified", "reason_code": None, "updated_at": "2025-01-02T03:04:05Z"}
        if call == "accounts":
            return [account(person, "current"), account(person, "savings")]
        if call == "spendingAccount":
            nothing = {"amount": "0.00", "currency": "EUR"}
            held = {"amount": str(self.held(person)), "currency": "EUR"}
            return {"held": held, "promotional_credit": nothing, "owed": nothing}
        if call == "withdrawalLimits":
            return limits(asked)
        if call == "virtualAccountEconomics":
            monthly = {"amount": "2.00", "currency": "EUR"}
            inbound = {"inbound_fee_fixed": "0.10", "inbound_fee_basis_points": "5"}
            return [{"currency": "EUR", "monthly_fee": monthly, **inbound, "settlement_days": 1}]
        if call == "payoutSchemas":
            return [SCHEMA]
        if call == "addressCountries":
            return [{"code": "NL", "alpha3": "NLD", "name": "Netherlands"}]
        if call == "purchases":
            return [purchase(person, number) for number in range(3)]
        if call == "transferQuote":
            return quote_transfer(self, connection, asked)
        if call == "purchaseQuote":
            return quote_purchase(asked)
        return activity(person, asked)


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def shown(record):
    view = {
        "reference": record["ref"],
        "client_reference": record["client_reference"],
        "status": record["status"],
        "settled_at": record["settled_at"],
        "failure_code": record["failure_code"],
    }
    if record["kind"] == "createCard":
        view |= {"brand": "maestro", "last_four": record["tail"]}
    return view


def views(record):
    """The record as a search shows it: twice, or with contradictory members, if the sandbox was asked to do so."""
    view = shown(record)
    if record["oddity"] == "two_records":
        at = text_of(now())
        failed = {"status": "failed", "settled_at": at, "failure_code": "account_closed"}
        return [{**view, "status": "succeeded", "settled_at": at}, {**view, "reference": view["reference"] + "x", **failed}]
    if record["oddity"] == "reopened":
        return [{**view, "settled_at": text_of(now())}]
    return [view]


def account(person, kind):
    balance = {"available": {"amount": "1250.10", "currency": "EUR"}, "current": {"amount": "1300.00", "currency": "EUR"}}
    return {
        "reference": f"acc_{person}_{kind}", "name": kind.title(), "type": kind, "currency": "EUR", "status": "active",
        "balance": balance, "masked_number": "4300", "opened_at": "2019-05-02T09:00:00+02:00",
    }  # fmt: skip


def purchase(person, number):
    at = f"2026-01-{20 - number:02d}T10:00:00Z"
    return {
        "reference": f"pur_{person}_{number}", "quote_reference": f"quo_{person}_{number}",
        "service_reference": SERVICE["reference"], "state": "fulfilled", "total": {"amount": "20.00", "currency": "EUR"},
        "released_at": at, "updated_at": at,
    }  # fmt: skip


def limits(query):
    need(1 <= len(query.get("schema", "")) <= 512)
    fits = query["schema"] == SCHEMA["id"]
    if not fits or query.get("currency", "EUR") != "EUR" or query.get("account_type", "current") != "current":
        return None
    return {
        "currency": "EUR", "minimum_amount": "0.01", "maximum_amount": str(HIGHEST), "fee_fixed": "0.00",
        "fee_basis_points": "0", "rail": SCHEMA["rail"],
        "memo": {"supported": True, "minimum_characters": 0, "maximum_characters": 140}, "purpose_codes": [],
    }  # fmt: skip


def past(person):
    """Sixty movements, newest first: the same at every read."""
    sources = ("account", "card", "spending")
    start = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)
    for number in range(60):
        source, at = sources[number % 3], start - timedelta(hours=7 * number)
        yield at, {
            "reference": f"mov_{person}_{number}", "source": source, "direction": "out" if number % 4 else "in",
            "amount": {"amount": f"{number + 1}.50", "currency": "EUR"}, "status": "posted",
            "description": f"Payment {number}", "counterparty_name": None,
            "merchant_category": "5411" if source == "card" else None,
            "card_reference": f"card_{person}_{number % 2}" if source == "card" else None, "occurred_at": text_of(at),
        }  # fmt: skip


def activity(person, query):
    since, before = (timestamp_of(query[name]) if name in query else None for name in ("from", "to"))
    need(query.get("source") in (None, "account", "card", "spending"))
    need(re.fullmatch(r"\d{1,3}", query.get("limit", "50")) and 1 <= int(query.get("limit", "50")) <= 100)
    limit = int(query.get("limit", "50"))
    mine = digest([person, *(query.get(name) for name in ("from", "to", "source", "card_reference"))])[:16]
    mark, _, number = query.get("cursor", f"{mine}.0").partition(".")
    if mark != mine or not number.isdigit():
        raise Refused(400, "unknown_cursor")
    found = [
        one
        for at, one in past(person)
        if (since is None or at >= since)
        and (before is None or at < before)
        and query.get("source", one["source"]) == one["source"]
        and query.get("card_reference", one["card_reference"]) == one["card_reference"]
    ]
    ends = int(number) + limit
    return {"items": found[int(number) : ends], "next_cursor": f"{mine}.{ends}" if ends < len(found) else None}


def refused_quote(name):
    return {"type": "refused", "member": name}


def quote_transfer(provider, connection, body):
    source_currency, target_currency = currency(body, "source_currency"), currency(body, "target_currency")
    value, fixed = decimal(body, "amount"), member(body, "fixed_side")
    beneficiary = member(body, "beneficiary_reference", nullable=True, least=1, most=200)
    need(fixed in ("source", "target"))
    for name in ("source_currency", "target_currency"):
        if body[name] not in RATES:
            return refused_quote(name)
    try:
        if beneficiary is not None:
            provider.resource(beneficiary, connection["person"], "createBeneficiary")
    except Refused:
        return refused_quote("beneficiary_reference")
    if value > HIGHEST or value.as_tuple().exponent < -2:
        return refused_quote("amount")
    rate = (RATES[source_currency] / RATES[target_currency]).quantize(Decimal("0.000001"))
    source = value if fixed == "source" else (value / rate).quantize(Decimal("0.01"))
    target = value if fixed == "target" else (value * rate).quantize(Decimal("0.01"))
    ends = text_of(now() + timedelta(minutes=15))
    quote = {
        "source": {"amount": str(source), "currency": source_currency},
        "target": {"amount": str(target), "currency": target_currency},
        "rate": str(rate), "fee": {"amount": "0.50", "currency": source_currency}, "rail": SCHEMA["rail"],
        "estimated_arrival": ends, "expires_at": ends,
    }  # fmt: skip
    return {"type": "quoted", "quote": quote}


def quote_purchase(body):
    service, product = member(body, "service_reference", least=1, most=200), member(body, "product_id", least=1, most=128)
    quantity = member(body, "quantity", int, least=1, most=10_000)
    member(body, "recipient", nullable=True, least=1, most=400)
    if service != SERVICE["reference"]:
        return refused_quote("service_reference")
    if product not in SERVICE["product_ids"]:
        return refused_quote("product_id")
    total = {"amount": f"{20 * quantity}.00", "currency": "EUR"}
    ends = text_of(now() + timedelta(hours=1))
    return {"type": "quoted", "quote": {"reference": f"quo_{secrets.token_hex(8)}", "total": total, "expires_at": ends}}


KINDS = {"createMandate": "mandate_create", "createTransfer": "transfer"}
INSTRUCTIONS = {
    "createBeneficiary": read_beneficiary,
    "createMandate": read_mandate,
    "suspendMandate": read_nothing,
    "revokeMandate": read_nothing,
    "createMandateTransfer": read_mandate_transfer,
    "createTransfer": read_transfer,
    "createCard": read_card,
    "freezeCard": read_nothing,
    "unfreezeCard": read_nothing,
    "closeCard": read_nothing,
    "revokeConnection": read_nothing,
}
ADDRESSES = [
    ("POST", "/beneficiaries", "createBeneficiary"), ("GET", "/beneficiaries", "findBeneficiaries"),
    ("POST", "/mandates", "createMandate"), ("GET", "/mandates", "findMandates"),
    ("POST", "/mandates/{reference}/suspend", "suspendMandate"), ("POST", "/mandates/{reference}/revoke", "revokeMandate"),
    ("POST", "/mandates/{reference}/transfers", "createMandateTransfer"), ("POST", "/transfers", "createTransfer"),
    ("GET", "/transfers", "findTransfers"), ("POST", "/cards", "createCard"), ("GET", "/cards", "findCards"),
    ("POST", "/cards/{reference}/freeze", "freezeCard"), ("POST", "/cards/{reference}/unfreeze", "unfreezeCard"),
    ("POST", "/cards/{reference}/close", "closeCard"), ("POST", "/connection/revoke", "revokeConnection"),
    ("GET", "/connection", "findConnections"), ("POST", "/approvals", "prepareApproval"),
    ("GET", "/approvals/{reference}", "readApproval"), ("POST", "/card-reveals", "startCardReveal"),
    ("POST", "/identity-checks", "startIdentityCheck"), ("POST", "/device-authentications", "startDeviceAuthentication"),
    ("GET", "/device-authentications/{reference}", "readDeviceAuthentication"),
    ("GET", "/identity-status", "identityStatus"), ("GET", "/accounts", "accounts"),
    ("GET", "/spending-account", "spendingAccount"), ("GET", "/withdrawal-limits", "withdrawalLimits"),
    ("GET", "/virtual-account-economics", "virtualAccountEconomics"), ("GET", "/payout-schemas", "payoutSchemas"),
    ("GET", "/address-countries", "addressCountries"), ("GET", "/activity", "activity"), ("GET", "/purchases", "purchases"),
    ("POST", "/transfer-quotes", "transferQuote"), ("POST", "/purchase-quotes", "purchaseQuote"),
    ("GET", "/purchasable-services", "purchasableServices"), ("GET", "/assets", "assets"), ("GET", "/fiat-prices", "fiatPrices"),
    ("GET", "/sandbox", "readSandbox"), ("POST", "/sandbox/connections", "createSandboxConnection"),
    ("POST", "/sandbox/faults", "orderSandboxFault"), ("POST", "/sandbox/settlements", "settleInSandbox"),
    ("POST", "/sandbox/decisions", "decideInSandbox"),
]  # fmt: skip
ROUTES = [(method, re.compile(path.replace("{reference}", "([^/]+)")), call) for method, path, call in ADDRESSES]
FAULTS = ["refuse", "reject", "settle_later", "two_records", "reopened", "expire_approval"]
SANDBOX = {
    "faults": FAULTS,
    "payout_schema_id": SCHEMA["id"],
    "payment": {"amount": "12.50", "currency": "EUR"},
    "approved_payment": {"amount": "3.00", "currency": "EUR"},
    "card": {"type": "virtual", "currency": "EUR"},
    "reads": {
        "fiatPrices": {"currency": "EUR"},
        "purchaseQuote": {"service_reference": SERVICE["reference"], "product_id": "token-20", "quantity": 2},
        "transferQuote": {
            "source_currency": "EUR", "target_currency": "GBP", "amount": "120.00", "fixed_side": "source",
        },
        "withdrawalLimits": {"schema": SCHEMA["id"]},
    },
    "reader": {"credentials": "connection-of-reader", "card_reference": "card_reader_1"},
    "other_reader": {"credentials": "connection-of-other"},
}  # fmt: skip


def answer(provider, call, ref, credentials, query, body, origin):
    """The status and the body of the answer to one call."""
    if call == "purchasableServices":
        return 200, {"data": [SERVICE]}
    if call == "assets":
        return 200, {"data": [{"code": "BTC", "name": "Bitcoin", "type": "crypto", "decimals": 8}]}
    if call == "fiatPrices":
        wanted = currency(query, "currency")
        price = {"asset": "BTC", "currency": wanted, "price": "61234.50", "as_of": text_of(now())}
        return 200, {"data": [price] if wanted in RATES else []}
    if call == "startDeviceAuthentication":
        return provider.sign_in(body, origin)
    if call == "readDeviceAuthentication":
        return 200, provider.read_sign_in(ref)
    if call.endswith(("Sandbox", "SandboxConnection", "SandboxFault")):
        return 200, sandbox(provider, call, body)

    connection = provider.connection(credentials)
    if call in INSTRUCTIONS:
        return provider.instruct(call, ref, connection, body)
    if call.startswith("find"):
        return 200, provider.search(call, connection, query)
    if call == "readApproval":
        return 200, provider.read_approval(ref, connection)
    starts = {
        "prepareApproval": provider.prepare_approval,
        "startCardReveal": provider.reveal,
        "startIdentityCheck": provider.check_identity,
    }
    if call in starts:
        return starts[call](connection, body, origin)
    return 200, {"data": provider.read(call, connection, query if body is None else body)}


def sandbox(provider, call, body):
    if call == "readSandbox":
        return SANDBOX
    if call == "createSandboxConnection":
        return {"credentials": provider.connect("saskia" if member(body, "approves", bool) else "joost")}
    if call == "decideInSandbox":
        token = member(body, "hosted_url").rsplit("/", 1)[-1]
        need(body.get("decision") in ("approve", "decline"))
        provider.decide(token, "granted" if body["decision"] == "approve" else "declined")
        return {}
    reference = member(body, "client_reference", least=1, most=200)
    if call == "orderSandboxFault":
        need(body.get("fault") in FAULTS)
        provider.db.execute("INSERT INTO faults VALUES (?, ?)", (reference, body["fault"]))
        return {}
    need(body.get("as") in ("succeeded", "failed"))
    waiting = provider.all("SELECT number FROM records WHERE client_reference = ? AND status = 'pending'", reference)
    for record in waiting:
        provider.settle(record["number"], body["as"])
    return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # One packet for each answer.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    provider: Provider

    def log_message(self, *_values):
        """Nothing is logged: an address may hold a token."""

    def do_GET(self):
        self.handle_request("GET")

    def do_POST(self):
        self.handle_request("POST")

    def handle_request(self, method):
        url = urlsplit(self.path)
        text = self.rfile.read(int(self.headers.get("content-length") or 0))
        if url.path.startswith("/pages/"):
            return self.page(method, url.path.rsplit("/", 1)[-1], dict(parse_qsl(text.decode("utf-8", "replace"))))
        try:
            status, body = self.call(method, url, text)
        except Refused as refused:
            status, body = refused.status, {"error": {"code": refused.code}}
        except Exception:  # noqa: BLE001 - a failure inside proves nothing, and the caller searches
            status, body = 500, {"error": {"code": "internal"}}
        self.reply(status, "application/json", json.dumps(body))

    def call(self, method, url, text):
        if not url.path.startswith(BASE):
            raise Refused(404, "unknown_address")
        for wanted, pattern, call in ROUTES:
            found = pattern.fullmatch(url.path[len(BASE) :])
            if found and wanted == method:
                break
        else:
            raise Refused(404, "unknown_address")
        body = None
        if method == "POST":
            try:
                body = json.loads(text)
            except ValueError:
                raise Refused(400, "invalid_request") from None
        scheme, _, credentials = (self.headers.get("authorization") or "").partition(" ")
        origin = f"http://{self.headers.get('host')}"
        ref = unquote(found.group(1)) if found.groups() else ""
        query = dict(parse_qsl(url.query))
        known = credentials if scheme == "Bearer" else ""
        return self.provider.transaction(answer, self.provider, call, ref, known, query, body, origin)

    def page(self, method, token, form):
        provider = self.provider
        found = provider.transaction(provider.one, "SELECT * FROM pages WHERE token = ?", token)
        if found is None or provider.transaction(provider.decision, found) != "pending":
            return self.reply(410, "text/html; charset=utf-8", "<p>This page is over.</p>")
        if method == "POST" and form.get("person") in PEOPLE:
            return self.decided(found, form)
        people = "".join(f"<option value={key}>{escape(one['name'])}" for key, one in PEOPLE.items())
        html = f"<form method=post><select name=person>{people}</select><button name=decision value=approve>Go on</button><button name=decision value=decline>Decline</button></form>"
        return self.reply(200, "text/html; charset=utf-8", html)

    def decided(self, page, form):
        provider, approved = self.provider, form.get("decision") == "approve"
        if page["kind"] == "reveal":
            if form["person"] != page["person"] or not approved:
                return self.reply(403, "text/html; charset=utf-8", "<p>This is not your card.</p>")
            provider.transaction(provider.decide, page["token"], "shown")
            return self.reply(200, "text/html; charset=utf-8", "<p>6759 0000 0000 0000</p>")

        def decide():
            credentials = provider.connect(form["person"]) if page["kind"] == "signin" and approved else None
            return provider.decide(page["token"], credentials or ("granted" if approved else "declined"))

        if page["kind"] == "approval" and form["person"] != page["person"]:
            return self.reply(403, "text/html; charset=utf-8", "<p>This is not yours to decide.</p>")
        return self.reply(303, "text/html", "", provider.transaction(decide))

    def reply(self, status, content_type, text, location=None):
        raw = text.encode()
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(raw)))
        if location is not None:
            self.send_header("location", location)
        self.end_headers()
        self.wfile.write(raw)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    parser = argparse.ArgumentParser(description="A provider that speaks the Provider API, for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--database", default=":memory:")
    given = parser.parse_args()
    Handler.provider = Provider(given.database)
    server = Server(("127.0.0.1", given.port), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
