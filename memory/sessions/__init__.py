"""Conversations: taken in, given out, trimmed, archived, summarised, searched.

Pure are `turns`, `drafts`, `summaries` and `archives`; all else are services that take
an actor, and the job that trims.
"""
