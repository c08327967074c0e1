"""The client that blocks. `pnpm gen` writes it from `_async`."""
