"""Zips of Markdown files, from here or from anywhere, on their way into the wiki.

`try_zip` says what would become of one and writes nothing; `begin` queues the job that
imports it. What is uploaded lies in the storage until that job has ended.
"""

from wiki.importing.job import begin, begin_kept
from wiki.importing.uploads import Kept, keep, kept_by
from wiki.importing.walking import Entry, try_zip

__all__ = ["Entry", "Kept", "begin", "begin_kept", "keep", "kept_by", "try_zip"]
