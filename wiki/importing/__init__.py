"""Zips of Markdown files, from here or from anywhere, on their way into the wiki.

`begin` queues the job that imports one, or only tries it and writes nothing. With
`begin_tried` what was tried is imported. What is uploaded lies in the storage until
that job has ended.
"""

from wiki.importing.job import begin, begin_tried

__all__ = ["begin", "begin_tried"]
