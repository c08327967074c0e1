"""The verbs of the usual errand: `payee`, `allowance`, `pay`."""
