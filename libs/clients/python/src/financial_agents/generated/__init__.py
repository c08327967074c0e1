"""Written by `pnpm gen` from libs/api/contract, but for this file."""
