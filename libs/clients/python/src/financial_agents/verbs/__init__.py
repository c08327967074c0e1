"""The verbs of a payment: `payee`, `allowance`, `pay`."""
