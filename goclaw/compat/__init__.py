"""The addresses and payloads of other services, on our own."""
