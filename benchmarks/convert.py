"""Turn published question sets into the folders that the other benchmarks read.

    python benchmarks/convert.py locomo locomo10.json DIR
    python benchmarks/convert.py squad cmrc2018_dev.json DIR [--skip ARTICLES] [--take ARTICLES]

`locomo` is the form of snap-research/locomo (CC BY-NC 4.0), `squad` that of ymcui/cmrc2018 (squad-style-data),
google-deepmind/xquad and DRCKnowledgeTeam/DRCD (all three CC BY-SA). DIR gets `memories.jsonl` (id, agent_id, session_id,
content, created_at, memory_type) and `queries.jsonl` (query, agent_id, relevant: ids of memories).
"""

from __future__ import annotations

import argparse
import collections
import datetime
import json
import pathlib
import re
from collections.abc import Iterator

Line = dict[str, object]

ADVERSARIAL = 5
"""The category of LoCoMo's questions that the conversation does not answer."""

ARTICLES = 20
"""Articles that make one agent."""

SENTENCE = re.compile(r".+?(?:[。！？]+[」』”’）]*|[.!?][\"')\]]*(?=\s+[A-Z\"'(\[])|$)", re.DOTALL)


def main() -> None:
    """Convert one file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=CONVERTERS)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--skip", type=int, default=0, help="articles or conversations to leave out at the beginning")
    parser.add_argument("--take", type=int, help="how many of the others to take; all unless given")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    published = json.loads(options.file.read_text(encoding="utf-8-sig"))
    whole = published if options.kind == "locomo" else published["data"]
    memories, queries = CONVERTERS[options.kind](whole[options.skip :][: options.take])
    for name, lines in (("memories", memories), ("queries", queries)):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (options.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    print(f"{len(memories):,} memories, {len(queries):,} questions")


def locomo(conversations: list[dict]) -> tuple[list[Line], list[Line]]:
    """Return each turn as an episode of its conversation, and the questions that have evidence."""
    memories = [turn for conversation in conversations for turn in _turns(conversation)]
    known = {memory["id"] for memory in memories}
    queries: list[Line] = []
    for conversation in conversations:
        agent = conversation["sample_id"]
        for question in conversation["qa"]:
            # Some are written "D8:6; D9:17" or "D:11:26".
            evidence = re.findall(r"D:?(\d+):(\d+)", " ".join(question.get("evidence") or []))
            relevant = dict.fromkeys(f"{agent}/D{int(session)}:{int(turn)}" for session, turn in evidence)
            found = [id for id in relevant if id in known]
            if found and question["category"] != ADVERSARIAL:
                queries.append({"query": question["question"], "agent_id": agent, "relevant": found})
    return memories, queries


def _turns(conversation: dict) -> Iterator[Line]:
    agent, sessions = conversation["sample_id"], conversation["conversation"]
    for number in sorted(int(name.split("_")[1]) for name in sessions if re.fullmatch(r"session_\d+", name)):
        said_at = datetime.datetime.strptime(sessions[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for turn in sessions[f"session_{number}"]:
            image = f" [shared image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield {
                "id": f"{agent}/{turn['dia_id']}", "agent_id": agent, "session_id": f"{agent}/S{number}",
                "content": f"{turn['speaker']}: {turn['text']}{image}", "created_at": said_at.isoformat(),
                "memory_type": "episode",
            }


def squad(articles: list[dict]) -> tuple[list[Line], list[Line]]:
    """Return each sentence of a passage as a memory of its own type, and the questions about the passages."""
    memories: list[Line] = []
    queries: list[Line] = []
    for place, article in enumerate(articles):
        agent = f"a{place // ARTICLES:02}"
        for number, paragraph in enumerate(article["paragraphs"]):
            passage, starts = f"{agent}/{place}/{number}", []
            for sentence in SENTENCE.finditer(paragraph["context"]):
                if content := sentence[0].strip():
                    memories.append({
                        "id": f"{passage}/{len(starts)}", "agent_id": agent, "session_id": passage, "content": content,
                        "created_at": None, "memory_type": "sentence",
                    })
                    starts.append(sentence.start())
            for question in paragraph["qas"]:
                # Where several people answered, the place that most of them gave.
                said = collections.Counter(answer["answer_start"] for answer in question["answers"])
                line = sum(start <= said.most_common(1)[0][0] for start in starts) - 1
                queries.append({"query": question["question"], "agent_id": agent, "relevant": [f"{passage}/{line}"]})
    return memories, queries


CONVERTERS = {"locomo": locomo, "squad": squad}

if __name__ == "__main__":
    main()
