"""The catalogue: what agents share, as lines of JSON, out and in again."""
