"""The review: what machines propose for the wiki or decided about records, and people.

Nothing that a machine writes becomes a page before somebody has approved it; what was
decided about records is shown, to be confirmed or taken back.
"""
