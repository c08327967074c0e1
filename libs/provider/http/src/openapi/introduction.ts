/** The promises of the Provider API in words: the text with which the document begins. */

export const introduction = `A provider of accounts, cards and payments answers this interface. The Financial Agents API (the application) calls it: it
lets an agent act for one person's money. Put it before your core in any language.

Everything here follows from one rule: **the application sends each instruction at most once, and guesses nothing.** An answer
may be lost, so each instruction carries a reference by which it can be found again.

## The promises of a provider

**Idempotent by reference.** Each instruction has a \`client_reference\`. Execute it at most once for a person,
however often it arrives and on however many connections at once: commit the reference together with the effect. Answer a repetition
with the record as it is now (200), and another content, or another call, under the same reference with 409 \`reference_reused\`. The reference stays
reserved for as long as the record exists. An instruction that you refused leaves no record, and its reference is free again.

**Durable before the answer.** A record that was answered with 200, 201 or 202 is found by every later search, also after a crash.

**Definitive refusals.** An answer from 400 to 499 with the refusal document \`{ "error": { "code": … } }\` says: nothing was
executed, and nothing of this request will be. Say it only if it is true. Every other answer proves nothing about an
instruction: a 4xx without the document (it may come from a proxy), 408, every 5xx, a redirect, a time-out, a broken connection. Then
the application searches.

**Final is final.** A record is \`pending\`, then \`succeeded\` or \`failed\`. A final record never changes. Its \`settled_at\` is the
time of its effect, by one clock for all records.

**Complete by reference.** A search by \`client_reference\` (or \`action_client_reference\`) returns every record of that reference
that you have begun to execute, at once and not after a while. If you leave a record out, answer \`has_more: true\`. A search never
returns records of another person. It matches records that have **any** of the references asked for, so that two
records of one reference show. Actions on a card, a mandate or a connection are listed in \`actions\` of their resource; a search
by \`action_client_reference\` alone returns the resources that have a matching action, and only these. A search that also
names the resource (\`reference\`) returns it even if no action on it matches, with an empty list.

**States that prove.** \`closed\` (cards) and \`revoked\` (mandates, connections) are final, and only one call leads to each.

**Deadlines.** An instruction may carry \`valid_until\`. Compare it with your clock at the moment at which you begin to execute, not when
the request arrives. Afterwards refuse it (422 \`submission_expired\`), however long it waited. A provider that keeps this promise
shows its clock in every search (\`as_of\`): a complete search later than the deadline that finds nothing is then
proof that nothing was executed. Leave \`as_of\` out if you do not make the promise.

**Clocks.** \`settled_at\`, \`as_of\` and the check of \`valid_until\` use one clock, in UTC. It may be wrong by some seconds, but it does not
go back.

**Reads move nothing.** So do searches and starts of pages. A start is idempotent by its reference: an equal
request gets an equal answer; another content under it is 409 \`reference_reused\`.

**Answers are complete.** What an answer says is in its member \`data\`. An answer has every required member in the form of its schema, or it is no answer. The application takes no
part of an answer of another form. Ignore members and parameters that you do not know; the application does the same.

## Refusals with a meaning

| Status | Code | Meaning |
| --- | --- | --- |
| 400 | any | the request has another form than its schema |
| 401 | any | the credentials of the person are not valid (any more): the owner has to sign in again |
| 403 | \`connection_revoked\` | the connection was revoked: instructions and starts, no reads |
| 403 | \`identity_required\` | the person must prove who they are first, or once more |
| 403 | any other | you know the credentials and will not answer them |
| 404 | any | what the path or the body names is not there, or is somebody else's |
| 409 | any | the reference was used for something else, or the state does not allow it |
| 422 | see each call | you understood the instruction and will not execute it |
| 429 | any | too many requests; nothing was executed |

## Who is asking

Two things are proven, and each can be wrong alone.

*The application*, by what you agreed on. **Mutual TLS**: a client certificate on every connection. Or **\`private_key_jwt\` with
DPoP**: the application gets an access token from your authorization server with client credentials (RFC 6749, section 4.4; RFC 7523), bound
to a key (RFC 9449), and sends it in \`Authorization: DPoP <token>\` with a \`DPoP\` proof. An access token that you refuse is 401
with \`WWW-Authenticate: DPoP error="invalid_token"\`. Ask for no DPoP nonce here: an instruction is not sent again. In addition requests can be **signed** (RFC 9421): \`Signature-Input\` and
\`Signature\` cover \`@method\`, \`@target-uri\`, \`content-digest\` (RFC 9530) of a body, and the headers that name the application and
the person.

*The person*, by the credentials that the sign-in gave. They are sent in \`Financial-Agents-Person\` if \`Authorization\` names the application,
and else in \`Authorization: Bearer <credentials>\`. A sandbox may ask for nothing but the latter.

## Sandbox

The calls under \`/sandbox\` make your sandbox testable by the conformance kit (\`pnpm provider-conformance --url …\`). They ask
for no credentials. Real providers do not have them.

## Versions

The path has the major version. Within it, only optional members, optional parameters and new calls are added.`
