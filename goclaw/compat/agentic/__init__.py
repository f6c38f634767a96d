"""`/agentic/…`: the addresses and payloads of Agentic Memory, with owners and rules."""
