#!/bin/sh
# The requests that need no proof of possession, with curl. Every other request has a new DPoP proof, signed by the client's key:
# let the client or the command line send those.
set -eu
API=${API:-http://127.0.0.1:8080}
CLIENT_ID=${CLIENT_ID:-my-agent}

# Which environment is this, and is it well?
curl -sS --fail "$API/v1/metadata"; echo
curl -sS --fail "$API/v1/health"; echo

# Which capabilities are turned on?
curl -sS --fail "$API/v1/public-config"; echo

# Where are tokens issued, and what does the authorization server support?
curl -sS --fail "$API/.well-known/oauth-authorization-server"; echo

# A protected route refuses a request without a token, and says in WWW-Authenticate where to begin.
curl -sS --dump-header - --output /dev/null "$API/v1/accounts"

# A sign-in on a device begins without a proof. The token that follows is bound to a key, so it ends here for curl.
curl -sS --fail "$API/oauth/device" --data "client_id=$CLIENT_ID" --data 'scope=accounts:read'; echo
