"""The tables of the memory app."""

from memory.models.agents import Agent
from memory.models.chunks import Chunk, Embedding, EmbeddingModel
from memory.models.idempotency import IdempotentAnswer
from memory.models.jobs import Job, JobKind, JobState, WorkerBeat
from memory.models.memories import Memory, MemoryTag
from memory.models.recalls import RecallLog
from memory.models.recipes import IndexRecipe
from memory.models.revisions import Revision
from memory.models.sessions import (
    Message,
    MessageVector,
    MessageWord,
    Role,
    Session,
    SessionKind,
    SummarySource,
    TrimmedMessage,
)
from memory.models.spaces import Space, SpaceGroupPermission, SpaceUserPermission

__all__ = [
    "Agent",
    "Chunk",
    "Embedding",
    "EmbeddingModel",
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
    "Revision",
    "Role",
    "Session",
    "SessionKind",
    "Space",
    "SpaceGroupPermission",
    "SpaceUserPermission",
    "SummarySource",
    "TrimmedMessage",
    "WorkerBeat",
]
