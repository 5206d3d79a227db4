"""The benchmarks stand beside the package and use its inside: every name that they take from it must be there."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import subprocess
import sys

import pytest
from conftest import ROOT

SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


@pytest.mark.parametrize("script", [pytest.param(script, id=script.name) for script in SCRIPTS])
def test_what_a_benchmark_imports_of_the_package_is_there(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlite_memory":
            module = importlib.import_module(node.module)
            for name in (alias.name for alias in node.names):
                assert hasattr(module, name) or importlib.util.find_spec(f"{node.module}.{name}"), f"{node.module}.{name}"


def test_there_are_benchmarks():
    assert {"speed.py", "peers.py", "sweep.py", "life.py"} <= {script.name for script in SCRIPTS}


LOCOMO = [{
    "sample_id": "c1",
    "conversation": {
        "speaker_a": "Ann", "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a beagle."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Look at my boat.", "blip_caption": "a red boat"},
        ],
    },
    "qa": [
        {"question": "Which dog did Ann adopt?", "evidence": ["D1:1"], "category": 1},
        {"question": "What colour has the boat?", "evidence": ["D:1:2; D1:1"], "category": 4},
        {"question": "What is Ann's cat called?", "evidence": ["D1:1"], "category": 5},
        {"question": "Which year is it?", "evidence": ["D9:9"], "category": 2},
    ],
}]

CMRC = {"data": [{"paragraphs": [{
    "id": "P", "context": "长江很长。黄河很黄！它在北方。",
    "qas": [{"question": "黄河是什么颜色？", "answers": [{"answer_start": 8}, {"answer_start": 8}, {"answer_start": 0}]}],
}]}]}


def run(*arguments):
    done = subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_locomo_is_converted_turn_by_turn_and_measured(tmp_path):
    (tmp_path / "l.json").write_text(json.dumps(LOCOMO))
    assert run("benchmarks/convert.py", "locomo", tmp_path / "l.json", tmp_path / "set") == "2 memories, 2 questions\n"
    assert read(tmp_path / "set" / "memories.jsonl")[1] == {
        "id": "c1/D1:2", "agent_id": "c1", "session_id": "c1/S1", "content": "Ben: Look at my boat. [shared image: a red boat]",
        "created_at": "2023-05-08T13:56:00", "memory_type": "episode",
    }
    assert [line["relevant"] for line in read(tmp_path / "set" / "queries.jsonl")] == [["c1/D1:1"], ["c1/D1:2", "c1/D1:1"]]
    # The first question finds its turn first; of two relevant turns, one is first.
    assert run("-m", "benchmarks.retrieval", tmp_path / "set").splitlines()[-1] == "| set | 2 | 0.750 | 1.000 | 1.000 | 1.000 |"
    # Without context, a question about the boat finds only the turn that names it.
    plain = run("-m", "benchmarks.retrieval", "--plain", tmp_path / "set").splitlines()[-1]
    assert plain == "| set | 2 | 0.750 | 0.750 | 0.750 | 1.000 |"


def test_articles_are_converted_sentence_by_sentence(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(CMRC))
    assert run("benchmarks/convert.py", "squad", tmp_path / "c.json", tmp_path / "set") == "3 memories, 1 questions\n"
    assert [line["content"] for line in read(tmp_path / "set" / "memories.jsonl")] == ["长江很长。", "黄河很黄！", "它在北方。"]
    assert read(tmp_path / "set" / "queries.jsonl")[0]["relevant"] == ["a00/0/0/1"]
    assert run("benchmarks/convert.py", "squad", tmp_path / "c.json", tmp_path / "n", "--skip", "1") == "0 memories, 0 questions\n"


def test_summaries_are_measured_without_the_turns(tmp_path):
    turns = ["Ann: I adopted a beagle.", "Ben: How lovely!", "Ann: It is called Pixel.", "Ben: We should walk it on Friday."]
    memories = [
        {"id": f"t{n}", "agent_id": "a", "session_id": "s", "content": turn, "memory_type": "episode"}
        for n, turn in enumerate(turns)
    ]
    question = {"query": "What is the beagle called?", "agent_id": "a", "relevant": ["t2"]}
    for name, lines in (("memories", memories), ("queries", [question])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    printed = run("benchmarks/summaries.py", "--data", tmp_path, "--share", "0.3").splitlines()
    rows = [line.split()[-7] for line in printed[1:]]
    assert rows == ["4", "1", "1"]                     # all turns; the built-in summary alone; TextRank's alone
