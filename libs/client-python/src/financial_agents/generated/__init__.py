"""Written by `pnpm gen` from libs/contract, but for this file."""
