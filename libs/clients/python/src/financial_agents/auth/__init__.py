"""The profiles of clients that this package has: `device` and `service`."""
