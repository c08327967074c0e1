"""The stores that this package has: `file_store` and `memory_store`."""
