"""A small provider that speaks the Provider API, written from libs/provider/api/generated/openapi.json alone.

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

SCHEME = {
    "scheme_id": "iban_nl_eur",
    "title": "Netherlands",
    "country_code": "NL",
    "currency_code": "EUR",
    "network": "sepa.credit_transfer",
    "inputs": [
        {
            "name": "iban",
            "caption": "IBAN",
            "kind": "text",
            "regex": "NL[0-9]{2}[A-Z]{4}[0-9]{10}",
            "min": 18,
            "max": 18,
            "choices": None,
            "mandatory": True,
        }
    ],
    "sample": {"iban": "NL91ABNA0417164300"},
}
HIGHEST = Decimal("10000")
RATES = {"EUR": Decimal("1"), "GBP": Decimal("1.20")}
OFFER = {"offer_ref": "book_tokens", "title": "Book tokens", "line": "vouchers", "guide_url": None, "skus": ["token-20"]}

PEOPLE = {
    "joost": {"name": "Joost de Vries", "approves": False},
    "saskia": {"name": "Saskia Bakker", "approves": True},
    "reader": {"name": "Willem Visser", "approves": False},
    "other": {"name": "Anneke Smit", "approves": False},
}

TABLES = """
CREATE TABLE IF NOT EXISTS connections (
  credentials TEXT PRIMARY KEY, ref TEXT UNIQUE NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open');
CREATE TABLE IF NOT EXISTS records (
  number INTEGER PRIMARY KEY, ref TEXT UNIQUE NOT NULL, person TEXT NOT NULL, client_reference TEXT NOT NULL,
  request TEXT NOT NULL, kind TEXT NOT NULL, thing TEXT, content TEXT NOT NULL, status TEXT NOT NULL, settled_at TEXT,
  failure_reason TEXT, state TEXT, tail TEXT, oddity TEXT, UNIQUE (person, client_reference));
CREATE INDEX IF NOT EXISTS records_of_thing ON records (thing);
CREATE TABLE IF NOT EXISTS money (person TEXT PRIMARY KEY, held TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS faults (client_reference TEXT NOT NULL, fault TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
  token TEXT PRIMARY KEY, ref TEXT UNIQUE NOT NULL, sort TEXT NOT NULL, person TEXT NOT NULL, client_reference TEXT NOT NULL,
  request TEXT NOT NULL, content TEXT NOT NULL, expires_at TEXT NOT NULL, decision TEXT, UNIQUE (sort, person, client_reference));
"""

# The new state after an action, by the state before it. An action in a state that is not listed is refused.
MOVES = {
    "pauseCard": {"live": "paused", "paused": "paused"},
    "resumeCard": {"live": "live", "paused": "live"},
    "endCard": {"live": "ended", "paused": "ended", "ended": "ended"},
    "pauseGrant": {"open": "paused", "paused": "paused"},
    "withdrawGrant": {"open": "withdrawn", "paused": "withdrawn", "withdrawn": "withdrawn"},
}


class Refused(Exception):
    """A refusal: the request was not executed, and never will be."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


def now():
    return datetime.now(timezone.utc)


def text_of(timestamp):
    return timestamp.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


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


def member(body, name, sort=str, least=0, most=10_000, nullable=False):
    need(isinstance(body, dict) and name in body)
    value = body[name]
    if nullable and value is None:
        return None
    need(isinstance(value, sort) and (sort is bool or not isinstance(value, bool)))
    if isinstance(value, (str, int)) and sort is not bool:
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
    money = member(body, "amount", dict)
    return {"value": str(decimal(money, "value")), "ccy": currency(money, "ccy")}


def address(body, nullable):
    value = member(body, "return_url", nullable=nullable, most=2048)
    need(value is None or urlsplit(value).scheme in ("http", "https"))
    return value


def read_beneficiary(body):
    holder, destination = member(body, "holder", dict), member(body, "destination", dict)
    return {
        "full_name": member(holder, "full_name", least=1, most=200),
        "alias": member(holder, "alias", nullable=True),
        "scheme_id": member(destination, "scheme_id"),
        "country_code": member(destination, "country_code", least=2, most=2),
        "currency_code": member(destination, "currency_code", least=3, most=3),
        "inputs": member(destination, "inputs", dict),
        "third_party": member(body, "third_party", bool),
        "purpose": member(body, "purpose", nullable=True),
    }


def read_grant(body):
    ceilings = member(body, "ceilings", dict)
    timestamp_of(member(body, "ends_at"))
    return {
        "payee_ref": member(body, "payee_ref", least=1, most=200),
        "ceilings": {name: str(decimal(ceilings, name)) for name in ("each", "day", "week", "month", "all")},
        "uses": member(body, "uses", int, least=1, most=10_000),
        "ends_at": body["ends_at"],
    }


def read_transfer(body):
    return {
        "payee_ref": member(body, "payee_ref", least=1, most=200),
        "purpose": member(body, "purpose", nullable=True, least=1, most=128),
        **read_use(body),
    }


def read_use(body):
    return {"amount": amount(body), "note": member(body, "note", nullable=True, most=8192)}


def read_card(body):
    form = member(body, "form")
    need(form in ("digital", "plastic"))
    return {"title": member(body, "title", nullable=True, most=80), "form": form, "ccy": currency(body, "ccy")}


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
            return 200, {"result": shown(known)}

        fault = self.take_fault(reference, ("refuse", "reject", "settle_later", "two_records", "reopened"))
        if fault in ("refuse", "reject"):
            # The fault is used up, although the instruction is not executed.
            self.db.execute("COMMIT")
            self.db.execute("BEGIN IMMEDIATE")
            raise Refused(403, "refused") if fault == "refuse" else Refused(422, "account_closed")
        if until is not None and now() > until:
            raise Refused(422, "submission_expired")
        state = self.one("SELECT state FROM connections WHERE credentials = ?", connection["credentials"])["state"]
        if state == "withdrawn" and call != "withdrawConnection":
            raise Refused(403, "connection_withdrawn")
        self.validate(call, ref, person, reference, content)
        return self.keep(call, ref, connection, reference, request, content, fault)

    def validate(self, call, ref, person, reference, content):
        if call == "createBeneficiary":
            if content["scheme_id"] != SCHEME["scheme_id"]:
                raise Refused(422, "unknown_scheme")
            fits = (content["country_code"], content["currency_code"]) == (SCHEME["country_code"], SCHEME["currency_code"])
            iban = content["inputs"].get("iban")
            if not fits or not isinstance(iban, str) or not re.fullmatch(SCHEME["inputs"][0]["regex"], iban):
                raise Refused(422, "invalid_destination")
        if call in ("createGrant", "createTransfer"):
            self.validate_terms(call, person, content)
            self.validate_approval(call, person, reference, content)
        if call == "createCard" and content["ccy"] not in RATES:
            raise Refused(422, "currency_not_offered")
        if call in MOVES:
            thing = self.thing(ref, person, "createCard" if call.endswith("Card") else "createGrant")
            if self.state_of(thing) not in MOVES[call]:
                raise Refused(422, f"{'card' if call.endswith('Card') else 'grant'}_{self.state_of(thing)}")
        if call == "payUnderGrant":
            self.validate_use(self.thing(ref, person, "createGrant"), person, content)

    def validate_terms(self, call, person, content):
        self.thing(content["payee_ref"], person, "createBeneficiary")
        if call == "createTransfer":
            self.validate_payment(person, content)
        elif timestamp_of(content["ends_at"]) <= now():
            raise Refused(422, "ends_in_the_past")
        elif any(Decimal(value).as_tuple().exponent < -2 for value in content["ceilings"].values()):
            raise Refused(422, "amount_too_fine")

    def validate_approval(self, call, person, reference, content):
        if not PEOPLE[person]["approves"]:
            return
        page = self.one(
            "SELECT * FROM pages WHERE sort = 'approval' AND person = ? AND client_reference = ?", person, reference
        )
        terms = digest([TYPES[call], content])
        if page is None or page["decision"] != "approved" or json.loads(page["content"])["terms"] != terms:
            raise Refused(422, "approval_missing")

    def validate_payment(self, person, content):
        value = Decimal(content["amount"]["value"])
        if content["amount"]["ccy"] != SCHEME["currency_code"]:
            raise Refused(422, "wrong_currency")
        if value.as_tuple().exponent < -2:
            raise Refused(422, "amount_too_fine")
        if value > HIGHEST:
            raise Refused(422, "over_limit")
        if len(content["note"] or "") > 140:
            raise Refused(422, "note_length")
        if value > self.held(person):
            raise Refused(422, "insufficient_funds")

    def validate_use(self, grant, person, content):
        terms, state = json.loads(grant["content"]), self.state_of(grant)
        if state != "open":
            raise Refused(422, f"grant_{state}")
        paid = self.all("SELECT * FROM records WHERE thing = ? AND kind = 'payUnderGrant' AND status <> 'failed'", grant["ref"])
        value = Decimal(content["amount"]["value"])
        total = sum((Decimal(json.loads(one["content"])["amount"]["value"]) for one in paid), value)
        if value > Decimal(terms["ceilings"]["each"]) or total > Decimal(terms["ceilings"]["all"]):
            raise Refused(422, "over_ceiling")
        if len(paid) >= terms["uses"]:
            raise Refused(422, "no_uses_left")
        self.validate_payment(person, content)

    def keep(self, call, ref, connection, reference, request, content, fault):
        person = connection["person"]
        number = self.one("SELECT coalesce(max(number), 0) + 1 AS next FROM records")["next"]
        thing = connection["ref"] if call == "withdrawConnection" else ref or None
        values = (number, f"{call[:3]}{number:09d}", person, reference, request, call, thing, json.dumps(content))
        self.db.execute(
            """INSERT INTO records (number, ref, person, client_reference, request, kind, thing, content, status, tail, oddity)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)""",
            (*values, f"{number % 10_000:04d}", fault if fault in ("two_records", "reopened") else None),
        )
        if "amount" in content:
            self.pay(person, -Decimal(content["amount"]["value"]))
        if fault is None:
            self.settle(number, "active")
        record = self.one("SELECT * FROM records WHERE number = ?", number)
        return (201 if record["status"] == "active" else 202), {"result": shown(record)}

    def settle(self, number, status):
        """Makes a pending record final, once, with its effect."""
        record = self.one("SELECT * FROM records WHERE number = ? AND status = 'pending'", number)
        if record is None:
            return
        reason = "account_closed" if status == "failed" else None
        self.db.execute(
            "UPDATE records SET status = ?, settled_at = ?, failure_reason = ? WHERE number = ?",
            (status, text_of(now()), reason, number),
        )
        call, content = record["kind"], json.loads(record["content"])
        if status == "failed":
            if "amount" in content:
                self.pay(record["person"], Decimal(content["amount"]["value"]))
            return
        if call in ("createCard", "createGrant"):
            state = "live" if call == "createCard" else "open"
            self.db.execute("UPDATE records SET state = ? WHERE number = ?", (state, number))
        if call in MOVES:
            before = self.one("SELECT state FROM records WHERE ref = ?", record["thing"])["state"]
            after = MOVES[call].get(before, before)
            self.db.execute("UPDATE records SET state = ? WHERE ref = ?", (after, record["thing"]))
        if call == "withdrawConnection":
            self.db.execute("UPDATE connections SET state = 'withdrawn' WHERE ref = ?", (record["thing"],))

    def thing(self, ref, person, kind):
        found = self.one("SELECT * FROM records WHERE ref = ? AND person = ? AND kind = ?", ref, person, kind)
        if found is None or (kind == "createBeneficiary" and found["status"] != "active"):
            raise Refused(422, {"createCard": "unknown_card", "createGrant": "unknown_grant"}.get(kind, "unknown_payee"))
        return found

    def state_of(self, thing):
        if thing["status"] != "active":
            return "making" if thing["status"] == "pending" else "void"
        if thing["kind"] == "createGrant" and thing["state"] in ("open", "paused"):
            if timestamp_of(json.loads(thing["content"])["ends_at"]) <= now():
                return "lapsed"
        return thing["state"]

    def held(self, person):
        return Decimal(self.one("SELECT held FROM money WHERE person = ?", person)["held"])

    def pay(self, person, change):
        self.db.execute("UPDATE money SET held = ? WHERE person = ?", (str(self.held(person) + change), person))

    # --- Searches -----------------------------------------------------------------------------------------------------

    def search(self, call, connection, query):
        asked = {name: query.get(name) for name in ("client_reference", "provider_ref", "action_reference", "action_ref")}
        need(any(asked.values()) and all(value is None or 1 <= len(value) <= 200 for value in asked.values()))
        person = connection["person"]
        if call in ("findBeneficiaries", "findTransfers"):
            kinds = ("createBeneficiary",) if call == "findBeneficiaries" else ("createTransfer", "payUnderGrant")
            records = self.matching(person, kinds, asked["client_reference"], asked["provider_ref"])
            results = [view for record in records for view in views(record)]
        else:
            results = self.things(call, connection, asked)
        return {"results": results, "more": False, "as_of": text_of(now())}

    def matching(self, person, kinds, reference, ref):
        marks = ",".join("?" * len(kinds))
        return self.all(
            f"SELECT * FROM records WHERE person = ? AND kind IN ({marks}) AND (client_reference = ? OR ref = ?) ORDER BY number",
            person, *kinds, reference, ref,
        )  # fmt: skip

    def things(self, call, connection, asked):
        person = connection["person"]
        kinds = {
            "findCards": ("pauseCard", "resumeCard", "endCard"),
            "findGrants": ("pauseGrant", "withdrawGrant"),
            "findConnections": ("withdrawConnection",),
        }[call]
        actions = self.matching(person, kinds, asked["action_reference"], asked["action_ref"])
        found = {action["thing"]: [] for action in actions}
        for action in actions:
            found[action["thing"]] += views(action)
        if call == "findConnections":
            refs = dict.fromkeys([connection["ref"], *found])
            states = {ref: self.one("SELECT state FROM connections WHERE ref = ?", ref)["state"] for ref in refs}
            return [{"provider_ref": ref, "state": states[ref], "actions": found.get(ref, [])} for ref in refs]
        creation = "createCard" if call == "findCards" else "createGrant"
        named = self.matching(person, (creation,), asked["client_reference"], asked["provider_ref"])
        for ref in found:
            if all(one["ref"] != ref for one in named):
                named += self.all("SELECT * FROM records WHERE ref = ?", ref)
        return [
            {**view, "state": self.state_of(thing), "actions": found.get(thing["ref"], [])}
            for thing in named
            for view in views(thing)
        ]

    # --- Pages --------------------------------------------------------------------------------------------------------

    def start(self, sort, person, body, content, lifetime, origin):
        reference = member(body, "client_reference", least=1, most=200)
        request = digest([sort, content])
        known = self.one(
            "SELECT * FROM pages WHERE sort = ? AND person = ? AND client_reference = ?", sort, person, reference
        )
        if known is None:
            expired = self.take_fault(reference, ("expire_approval",)) is not None
            ends = now() + (timedelta(0) if expired else lifetime)
            self.db.execute(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    secrets.token_urlsafe(24), f"{sort}_{secrets.token_urlsafe(18)}", sort, person, reference, request,
                    json.dumps(content), text_of(ends),
                ),
            )  # fmt: skip
            known = self.one(
                "SELECT * FROM pages WHERE sort = ? AND person = ? AND client_reference = ?", sort, person, reference
            )
        elif known["request"] != request:
            raise Refused(409, "reference_reused")
        page = {
            "client_reference": reference,
            "page_url": f"{origin}/pages/{known['token']}",
            "expires_at": known["expires_at"],
        }
        return known, page

    def decision(self, page):
        if page["decision"] is not None:
            return page["decision"]
        return "expired" if timestamp_of(page["expires_at"]) <= now() else "waiting"

    def prepare_approval(self, connection, body, origin):
        self.refuse_withdrawn(connection)
        person, instruction = connection["person"], member(body, "instruction", dict)
        return_url, sort = address(body, True), member(instruction, "type")
        need(sort in ("grant", "transfer"))
        terms = (read_grant if sort == "grant" else read_transfer)(member(instruction, "terms", dict))
        self.validate_terms("createGrant" if sort == "grant" else "createTransfer", person, terms)
        if not PEOPLE[person]["approves"]:
            reference = member(body, "client_reference", least=1, most=200)
            return 201, {"approval": {"status": "waived", "client_reference": reference}}
        content = {"return_url": return_url, "terms": digest([sort, terms])}
        kept, page = self.start("approval", person, body, content, timedelta(minutes=10), origin)
        status = {"approval_ref": kept["ref"], "status": self.decision(kept), "check_after_ms": 1000}
        return 201, {"approval": {**page, **status}}

    def read_approval(self, ref, connection):
        page = self.one(
            "SELECT * FROM pages WHERE sort = 'approval' AND ref = ? AND person = ?", ref, connection["person"]
        )
        if page is None:
            raise Refused(404, "unknown_approval")
        return {"approval": {"approval_ref": ref, "status": self.decision(page)}}

    def reveal(self, connection, body, origin):
        self.refuse_withdrawn(connection)
        ref = member(body, "card_ref", least=1, most=200)
        card = self.one(
            "SELECT * FROM records WHERE kind = 'createCard' AND ref = ? AND person = ?", ref, connection["person"]
        )
        if card is None:
            raise Refused(404, "unknown_card")
        if self.state_of(card) not in ("live", "paused"):
            raise Refused(409, f"card_{self.state_of(card)}")
        content = {"card": ref}
        kept, page = self.start("reveal", connection["person"], body, content, timedelta(minutes=2), origin)
        return 201, {"card_reveal": {**page, "reveal_ref": kept["ref"], "card_ref": ref}}

    def check_identity(self, connection, body, _origin):
        self.refuse_withdrawn(connection)
        member(body, "client_reference", least=1, most=200)
        address(body, True)
        raise Refused(409, "identity_known")

    def sign_in(self, body, origin):
        content = {"return_url": address(body, False)}
        kept, page = self.start("signin", "", body, content, timedelta(minutes=10), origin)
        return 201, {"device_authentication": {**page, "authentication_ref": kept["ref"]}}

    def read_sign_in(self, ref):
        page = self.one("SELECT * FROM pages WHERE sort = 'signin' AND ref = ?", ref)
        if page is None:
            raise Refused(404, "unknown_authentication")
        status = self.decision(page)
        if status in ("waiting", "declined", "expired"):
            return {"device_authentication": {"status": status}}
        connection = self.one("SELECT * FROM connections WHERE credentials = ?", status)
        customer = {
            "customer_ref": connection["person"],
            "full_name": PEOPLE[connection["person"]]["name"],
            "locale": "nl-NL",
            "time_zone": "Europe/Amsterdam",
        }
        return {"device_authentication": {"status": "approved", "credentials": status, "customer": customer}}

    def decide(self, token, decision):
        """Decides once. The decision of a sign-in is the credentials of the new connection."""
        page = self.one("SELECT * FROM pages WHERE token = ?", token)
        if page is None or self.decision(page) != "waiting":
            raise Refused(404, "unknown_page")
        self.db.execute("UPDATE pages SET decision = ? WHERE token = ?", (decision, token))
        return json.loads(page["content"]).get("return_url")

    def connect(self, person):
        credentials = secrets.token_urlsafe(24)
        ref = f"con_{secrets.token_hex(8)}"
        self.db.execute("INSERT INTO connections VALUES (?, ?, ?, 'open')", (credentials, ref, person))
        return credentials

    def refuse_withdrawn(self, connection):
        state = self.one("SELECT state FROM connections WHERE credentials = ?", connection["credentials"])["state"]
        if state == "withdrawn":
            raise Refused(403, "connection_withdrawn")

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read(self, call, connection, query):
        person = connection["person"]
        if call == "readIdentity":
            return {"identity": {"status": "passed", "reason": None, "changed_at": "2025-01-02T03:04:05Z"}}
        if call == "readAccounts":
            return {"accounts": [account(person, "current"), account(person, "savings")]}
        if call == "readPurse":
            held = {"value": str(self.held(person)), "ccy": "EUR"}
            nothing = {"value": "0.00", "ccy": "EUR"}
            return {"purse": {"held": held, "promotional": nothing, "owed": nothing}}
        if call == "readLimits":
            return {"limits": limits(query)}
        if call == "readAccountNumberTerms":
            fee = {"fixed": "0.10", "basis_points": "5"}
            monthly = {"value": "2.00", "ccy": "EUR"}
            return {"terms": [{"ccy": "EUR", "monthly": monthly, "inbound": fee, "settles_in_days": 1}]}
        if call == "readPayoutSchemes":
            return {"schemes": [SCHEME]}
        if call == "readCountries":
            return {"countries": [{"iso2": "NL", "iso3": "NLD", "display_name": "Netherlands"}]}
        if call == "readOrders":
            return {"orders": [order(person, number) for number in range(3)]}
        return movements(person, query)


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def shown(record):
    view = {
        "provider_ref": record["ref"],
        "client_reference": record["client_reference"],
        "status": record["status"],
        "settled_at": record["settled_at"],
        "failure_reason": record["failure_reason"],
    }
    if record["kind"] == "createCard":
        view |= {"brand": "maestro", "number_tail": record["tail"]}
    return view


def views(record):
    """The record as a search shows it: twice, or with contradictory members, if the sandbox was notified to do so."""
    view = shown(record)
    if record["oddity"] == "two_records":
        at = text_of(now())
        failed = {"status": "failed", "settled_at": at, "failure_reason": "account_closed"}
        return [{**view, "status": "active", "settled_at": at}, {**view, "provider_ref": view["provider_ref"] + "x", **failed}]
    if record["oddity"] == "reopened":
        return [{**view, "settled_at": text_of(now())}]
    return [view]


def account(person, sort):
    return {
        "account_ref": f"acc_{person}_{sort}", "title": sort.title(), "sort": sort, "ccy": "EUR", "status": "open",
        "available": "1250.10", "booked": "1300.00", "number_tail": "4300", "opened_at": "2019-05-02T09:00:00+02:00",
    }  # fmt: skip


def order(person, number):
    at = f"2026-01-{20 - number:02d}T10:00:00Z"
    return {
        "order_ref": f"ord_{person}_{number}", "estimate_ref": f"est_{person}_{number}", "offer_ref": OFFER["offer_ref"],
        "stage": "delivered", "total": {"value": "20.00", "ccy": "EUR"}, "released_at": at, "changed_at": at,
    }  # fmt: skip


def limits(query):
    need(1 <= len(query.get("scheme_id", "")) <= 200)
    fits = query["scheme_id"] == SCHEME["scheme_id"]
    if not fits or query.get("ccy", "EUR") != "EUR" or query.get("account_kind", "current") != "current":
        return None
    return {
        "scheme_id": SCHEME["scheme_id"], "ccy": "EUR", "lowest": "0.01", "highest": str(HIGHEST),
        "fee": {"fixed": "0.00", "basis_points": "0"}, "network": SCHEME["network"],
        "note": {"allowed": True, "min": 0, "max": 140}, "purposes": [],
    }  # fmt: skip


def past(person):
    """Sixty movements, newest first: the same at every read."""
    origins = ("account", "card", "purse")
    start = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)
    for number in range(60):
        origin, at = origins[number % 3], start - timedelta(hours=7 * number)
        yield at, {
            "movement_ref": f"mov_{person}_{number}", "origin": origin, "flow": "debit" if number % 4 else "credit",
            "amount": {"value": f"{number + 1}.50", "ccy": "EUR"}, "stage": "booked", "text": f"Payment {number}",
            "other_party": None, "mcc": "5411" if origin == "card" else None,
            "card_ref": f"card_{person}_{number % 2}" if origin == "card" else None, "happened_at": text_of(at),
        }  # fmt: skip


def movements(person, query):
    since, before = (timestamp_of(query[name]) if name in query else None for name in ("since", "before"))
    need(query.get("origin") in (None, "account", "card", "purse"))
    need(re.fullmatch(r"\d{1,3}", query.get("size", "50")) and 1 <= int(query.get("size", "50")) <= 100)
    size = int(query.get("size", "50"))
    mine = digest([person, *(query.get(name) for name in ("since", "before", "origin", "card_ref"))])[:16]
    mark, _, number = query.get("page", f"{mine}.0").partition(".")
    if mark != mine or not number.isdigit():
        raise Refused(400, "unknown_page")
    found = [
        one
        for at, one in past(person)
        if (since is None or at >= since)
        and (before is None or at < before)
        and query.get("origin", one["origin"]) == one["origin"]
        and query.get("card_ref", one["card_ref"]) == one["card_ref"]
    ]
    ends = int(number) + size
    return {"movements": found[int(number) : ends], "next_page": f"{mine}.{ends}" if ends < len(found) else None}


def estimate_transfer(provider, connection, body):
    from_ccy, to_ccy = currency(body, "from_ccy"), currency(body, "to_ccy")
    value, fixed = decimal(body, "value"), member(body, "fixed")
    payee = member(body, "payee_ref", nullable=True, least=1, most=200)
    need(fixed in ("from", "to"))
    for name in ("from_ccy", "to_ccy"):
        if body[name] not in RATES:
            return {"not_offered": name}
    try:
        if payee is not None:
            provider.thing(payee, connection["person"], "createBeneficiary")
    except Refused:
        return {"not_offered": "payee_ref"}
    if value > HIGHEST or value.as_tuple().exponent < -2:
        return {"not_offered": "value"}
    rate = (RATES[from_ccy] / RATES[to_ccy]).quantize(Decimal("0.000001"))
    give = value if fixed == "from" else (value / rate).quantize(Decimal("0.01"))
    receive = value if fixed == "to" else (value * rate).quantize(Decimal("0.01"))
    ends = text_of(now() + timedelta(minutes=15))
    estimate = {
        "give": {"value": str(give), "ccy": from_ccy}, "receive": {"value": str(receive), "ccy": to_ccy},
        "rate": str(rate), "charge": {"value": "0.50", "ccy": from_ccy}, "network": SCHEME["network"],
        "arrives_at": ends, "good_until": ends,
    }  # fmt: skip
    return {"estimate": estimate}


def estimate_purchase(_provider, _connection, body):
    offer, sku = member(body, "offer_ref", least=1, most=200), member(body, "sku", least=1, most=128)
    quantity = member(body, "quantity", int, least=1, most=10_000)
    member(body, "recipient", nullable=True, least=1, most=400)
    if offer != OFFER["offer_ref"]:
        return {"not_offered": "offer_ref"}
    if sku not in OFFER["skus"]:
        return {"not_offered": "sku"}
    total = {"value": f"{20 * quantity}.00", "ccy": "EUR"}
    ends = text_of(now() + timedelta(hours=1))
    return {"estimate": {"estimate_ref": f"est_{secrets.token_hex(8)}", "total": total, "good_until": ends}}


TYPES = {"createGrant": "grant", "createTransfer": "transfer"}
INSTRUCTIONS = {
    "createBeneficiary": read_beneficiary,
    "createGrant": read_grant,
    "pauseGrant": read_nothing,
    "withdrawGrant": read_nothing,
    "payUnderGrant": read_use,
    "createTransfer": read_transfer,
    "createCard": read_card,
    "pauseCard": read_nothing,
    "resumeCard": read_nothing,
    "endCard": read_nothing,
    "withdrawConnection": read_nothing,
}
ADDRESSES = [
    ("POST", "/beneficiaries", "createBeneficiary"), ("GET", "/beneficiaries", "findBeneficiaries"),
    ("POST", "/grants", "createGrant"), ("GET", "/grants", "findGrants"), ("POST", "/grants/{ref}/pause", "pauseGrant"),
    ("POST", "/grants/{ref}/withdraw", "withdrawGrant"), ("POST", "/grants/{ref}/transfers", "payUnderGrant"),
    ("POST", "/transfers", "createTransfer"), ("GET", "/transfers", "findTransfers"), ("POST", "/cards", "createCard"),
    ("GET", "/cards", "findCards"), ("POST", "/cards/{ref}/pause", "pauseCard"), ("POST", "/cards/{ref}/resume", "resumeCard"),
    ("POST", "/cards/{ref}/end", "endCard"), ("POST", "/connection/withdraw", "withdrawConnection"),
    ("GET", "/connection", "findConnections"), ("POST", "/approvals", "prepareApproval"),
    ("GET", "/approvals/{ref}", "readApproval"), ("POST", "/card-reveals", "startCardReveal"),
    ("POST", "/identity-checks", "startIdentityCheck"), ("POST", "/device-authentications", "startDeviceAuthentication"),
    ("GET", "/device-authentications/{ref}", "readDeviceAuthentication"), ("GET", "/identity", "readIdentity"),
    ("GET", "/accounts", "readAccounts"), ("GET", "/purse", "readPurse"), ("GET", "/limits", "readLimits"),
    ("GET", "/account-number-terms", "readAccountNumberTerms"), ("GET", "/payout-schemas", "readPayoutSchemes"),
    ("GET", "/countries", "readCountries"), ("GET", "/movements", "readMovements"), ("GET", "/orders", "readOrders"),
    ("POST", "/transfer-estimates", "estimateTransfer"), ("POST", "/purchase-estimates", "estimatePurchase"),
    ("GET", "/offers", "readOffers"), ("GET", "/assets", "readAssets"), ("GET", "/prices", "readPrices"),
    ("GET", "/sandbox", "readSandbox"), ("POST", "/sandbox/connections", "createSandboxConnection"),
    ("POST", "/sandbox/faults", "orderSandboxFault"), ("POST", "/sandbox/settlements", "settleInSandbox"),
    ("POST", "/sandbox/decisions", "decideInSandbox"),
]  # fmt: skip
ROUTES = [(method, re.compile(path.replace("{ref}", "([^/]+)")), call) for method, path, call in ADDRESSES]
FAULTS = ["refuse", "reject", "settle_later", "two_records", "reopened", "expire_approval"]
SANDBOX = {
    "faults": FAULTS,
    "payout_scheme": SCHEME["scheme_id"],
    "payment": {"value": "12.50", "ccy": "EUR"},
    "approved_payment": {"value": "3.00", "ccy": "EUR"},
    "card": {"form": "digital", "ccy": "EUR"},
    "limits_scheme": SCHEME["scheme_id"],
    "transfer_estimate": {"from_ccy": "EUR", "to_ccy": "GBP", "value": "120.00"},
    "purchase_estimate": {"offer_ref": OFFER["offer_ref"], "sku": "token-20", "quantity": 2, "recipient": None},
    "price_ccy": "EUR",
    "reader": {"credentials": "connection-of-reader", "card_ref": "card_reader_1"},
    "other_reader": {"credentials": "connection-of-other"},
}


def answer(provider, call, ref, credentials, query, body, origin):
    """The status and the body of the answer to one call."""
    if call == "readOffers":
        return 200, {"offers": [OFFER]}
    if call == "readAssets":
        return 200, {"assets": [{"ticker": "BTC", "title": "Bitcoin", "sort": "coin", "digits": 8}]}
    if call == "readPrices":
        ccy = currency(query, "ccy")
        price = {"ticker": "BTC", "ccy": ccy, "price": "61234.50", "at": text_of(now())}
        return 200, {"prices": [price] if ccy in RATES else []}
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
    estimates = {"estimateTransfer": estimate_transfer, "estimatePurchase": estimate_purchase}
    if call in estimates:
        return 200, estimates[call](provider, connection, body)
    return 200, provider.read(call, connection, query)


def sandbox(provider, call, body):
    if call == "readSandbox":
        return SANDBOX
    if call == "createSandboxConnection":
        return {"credentials": provider.connect("saskia" if member(body, "approves", bool) else "joost")}
    if call == "decideInSandbox":
        token = member(body, "page_url").rsplit("/", 1)[-1]
        need(body.get("decision") in ("approve", "decline"))
        provider.decide(token, "approved" if body["decision"] == "approve" else "declined")
        return {}
    reference = member(body, "client_reference", least=1, most=200)
    if call == "orderSandboxFault":
        need(body.get("fault") in FAULTS)
        provider.db.execute("INSERT INTO faults VALUES (?, ?)", (reference, body["fault"]))
        return {}
    need(body.get("as") in ("active", "failed"))
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
        if found is None or provider.transaction(provider.decision, found) != "waiting":
            return self.reply(410, "text/html; charset=utf-8", "<p>This page is over.</p>")
        if method == "POST" and form.get("person") in PEOPLE:
            return self.decided(found, form)
        people = "".join(f"<option value={key}>{escape(one['name'])}" for key, one in PEOPLE.items())
        html = f"<form method=post><select name=person>{people}</select><button name=decision value=approve>Go on</button><button name=decision value=decline>Decline</button></form>"
        return self.reply(200, "text/html; charset=utf-8", html)

    def decided(self, page, form):
        provider, approved = self.provider, form.get("decision") == "approve"
        if page["sort"] == "reveal":
            if form["person"] != page["person"] or not approved:
                return self.reply(403, "text/html; charset=utf-8", "<p>This is not your card.</p>")
            provider.transaction(provider.decide, page["token"], "shown")
            return self.reply(200, "text/html; charset=utf-8", "<p>6759 0000 0000 0000</p>")

        def decide():
            credentials = provider.connect(form["person"]) if page["sort"] == "signin" and approved else None
            return provider.decide(page["token"], credentials or ("approved" if approved else "declined"))

        if page["sort"] == "approval" and form["person"] != page["person"]:
            return self.reply(403, "text/html; charset=utf-8", "<p>This is not yours to decide.</p>")
        return self.reply(303, "text/html", "", provider.transaction(decide))

    def reply(self, status, sort, text, location=None):
        raw = text.encode()
        self.send_response(status)
        self.send_header("content-type", sort)
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
