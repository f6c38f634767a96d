"""The wiki app: pages that people curate and agents read."""

from django.apps import AppConfig


class WikiConfig(AppConfig):
    """Pages, revisions, links, sections."""

    name = "wiki"
