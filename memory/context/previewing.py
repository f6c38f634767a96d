"""What a prompt will contain of a `Memory.md`, before it is saved."""

from dataclasses import dataclass

from goclaw.lib.config import context_config
from memory.context.assembling import SESSION_SHARE
from memory.context.blocks import Offer, block, size_of
from memory.context.sections import SECTIONS, memory_file, memory_file_content


@dataclass(frozen=True, slots=True)
class FilePreview:
    """The block as it stands in the prompt; sizes in characters.

    `share` is the most that all sections of a conversation may take together, 0 for no
    limit: a block that is larger is dropped as a whole.
    """

    text: str
    size: int
    left_out: int
    share: int

    @property
    def is_dropped(self) -> bool:
        """Say whether the block cannot be in any prompt."""
        return bool(self.share) and self.size > self.share


def preview_memory_file(text: str) -> FilePreview:
    """Return what a prompt will contain of the text."""
    config = context_config()
    content = memory_file_content(text, config.file_chars)
    [section] = [one for one in SECTIONS if one.name == memory_file.__name__]
    offer = Offer(section, content.title, content.items)
    return FilePreview(
        text=block(offer),
        size=size_of(offer),
        left_out=content.left_out,
        share=int(config.budget_chars * SESSION_SHARE),
    )
