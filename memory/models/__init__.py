"""The tables of the memory app."""

from memory.models.agents import Agent
from memory.models.chunks import Chunk, Embedding, EmbeddingModel
from memory.models.idempotency import IdempotentAnswer
from memory.models.jobs import Job, JobKind, JobState, WorkerBeat
from memory.models.memories import Memory, MemoryTag
from memory.models.messages import (
    Message,
    MessageVector,
    MessageWord,
    Role,
    TrimmedMessage,
)
from memory.models.recalls import Feedback, RecallLog
from memory.models.recipes import IndexRecipe
from memory.models.review import (
    PAGE_KINDS,
    ReviewItem,
    ReviewKind,
    ReviewState,
    Risk,
)
from memory.models.revisions import Revision, Veto
from memory.models.sessions import Session, SessionKind, SummarySource
from memory.models.spaces import Space, SpaceGroupPermission, SpaceUserPermission

__all__ = [
    "PAGE_KINDS",
    "Agent",
    "Chunk",
    "Embedding",
    "EmbeddingModel",
    "Feedback",
    "IdempotentAnswer",
    "IndexRecipe",
    "Job",
    "JobKind",
    "JobState",
    "Memory",
    "MemoryTag",
    "Message",
    "MessageVector",
    "MessageWord",
    "RecallLog",
    "ReviewItem",
    "ReviewKind",
    "ReviewState",
    "Revision",
    "Risk",
    "Role",
    "Session",
    "SessionKind",
    "Space",
    "SpaceGroupPermission",
    "SpaceUserPermission",
    "SummarySource",
    "TrimmedMessage",
    "Veto",
    "WorkerBeat",
]
