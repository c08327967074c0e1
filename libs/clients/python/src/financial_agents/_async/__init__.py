"""The client that awaits. `pnpm gen` derives `_sync`, the client that blocks, from the modules here."""
