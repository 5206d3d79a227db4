"""Failures that were reported of other memory layers, and the tests here that keep each of them away."""

from __future__ import annotations

import ast
import datetime
import pathlib
import string
import unicodedata
import uuid
from pathlib import Path

import pytest
from conftest import days_ago, ids, index_is_sound, python, rows, shell, shell_error

from sqlite_memory import DamagedFile

COVERED = {
    1: ["fields.test_an_apostrophe_is_no_syntax"],
    2: ["fields.test_a_hyphenated_identifier_is_found_as_it_is_typed_and_before_its_parts"],
    4: [
        "fields.test_every_punctuation_mark_is_legal_next_to_a_word_and_alone",
        "match.test_any_text_makes_only_legal_expressions",
        "layer.test_any_text_is_a_legal_query_and_finds_a_memory_that_holds_it",
    ],
    5: [
        "fields.test_blank_queries_all_give_the_same_answer",
        "layer.test_a_query_without_a_letter_or_digit_finds_nothing_and_not_everything",
    ],
    6: [
        "layer.test_a_query_without_a_letter_or_digit_finds_nothing_and_not_everything",
        "match.test_punctuation_alone_asks_for_nothing",
    ],
    8: [
        "fields.test_a_whole_sentence_finds_the_memory_it_asks_for",
        "layer.test_recall_finds_by_any_word_and_more_words_rank_higher",
    ],
    9: [
        "fields.test_a_lost_index_is_an_error_or_mended_and_never_no_memories",
        "database.test_a_table_dropped_while_the_layer_is_open_is_an_error_and_never_an_empty_answer",
    ],
    11: [
        "fields.test_nul_in_content_and_query",
        "layer.test_nul_and_lone_surrogates_are_legal_everywhere",
        "layer.test_nul_and_lone_surrogates_are_legal_in_the_other_methods",
    ],
    12: ["fields.test_parts_of_a_chinese_sentence_are_found"],
    13: ["fields.test_latin_words_glued_to_chinese_are_found", "text.test_scripts_are_always_split_from_each_other"],
    14: ["fields.test_single_characters_are_found", "layer.test_a_rare_chinese_character_is_found_by_itself"],
    16: ["fields.test_pieces_of_a_word_in_unrelated_places_rank_below_the_word"],
    17: ["fields.test_traditional_and_simplified_meet"],
    18: [
        "fields.test_the_dictionary_of_the_host_program_does_not_part_index_and_query",
        "text.test_the_host_programs_own_dictionary_is_left_alone_and_does_not_reach_ours",
        "layer.test_a_word_of_the_dictionary_is_kept_whole_in_rows_and_queries_of_every_process",
    ],
    19: [
        "fields.test_c_plus_plus_and_c_sharp_rank_first_for_themselves",
        "text.test_c_plus_plus_and_c_sharp_are_words_of_their_own",
    ],
    21: ["fields.test_a_korean_noun_is_found_with_its_particle"],
    22: ["fields.test_full_and_half_width_forms_meet_and_the_content_stays"],
    25: [
        "fields.test_one_text_in_several_forms_is_one_memory",
        "layer.test_the_same_content_again_reinforces_the_row_that_is_there",
    ],
    28: ["layer.test_a_thousand_touches_leave_the_pages_of_the_index_unchanged"],
    30: [
        "schema.test_an_id_is_never_used_twice_also_after_a_vacuum",
        "layer.test_delete_removes_the_memories_and_their_words",
        "schema.test_a_dump_of_the_shell_restores_is_adopted_and_recalls_the_same",
    ],
    32: [
        "fields.test_the_old_shell_inserts_deletes_and_searches",
        "schema.test_the_schema_needs_no_math_and_no_application_function",
        "schema.test_the_standard_librarys_sqlite3_reads_and_writes_the_file",
        "schema.test_the_schema_loads_and_works_in_libsql",
        "schema.test_a_reader_that_trusts_no_schema_can_select_the_memories",
    ],
    34: [
        "database.test_a_writer_waits_for_another_process_and_then_succeeds",
        "database.test_a_busy_timeout_of_zero_raises_at_once",
        "database.test_every_connection_has_the_settings_that_the_file_needs",
    ],
    35: ["database.test_eight_processes_with_200_mixed_operations_each_lose_nothing"],
    36: ["database.test_forty_touches_of_each_of_four_processes_are_160", "layer.test_the_last_access_never_goes_back"],
    38: [
        "database.test_a_forked_child_gets_its_own_connection_and_both_write",
        "database.test_a_child_whose_first_try_fails_never_falls_back_to_the_connection_of_its_parent",
        "database.test_close_in_a_child_leaves_the_parents_locks_alone",
    ],
    39: ["database.test_the_log_is_cut_back_although_an_answer_is_half_read"],
    40: ["database.test_a_file_system_that_cannot_keep_a_shared_log_gets_a_warning_and_still_works"],
    42: ["schema.test_a_dump_of_the_shell_restores_is_adopted_and_recalls_the_same"],
    43: [
        "database.test_sidecars_that_another_user_made_are_explained",
        "cli.test_a_sweep_by_another_user_than_the_owner_warns",
    ],
    44: [
        "database.test_a_file_in_a_read_only_folder_is_read_without_touching",
        "database.test_rows_that_are_only_in_the_log_of_a_read_only_folder_are_not_silently_left_out",
    ],
    46: ["database.test_a_file_of_any_name_is_that_file_and_makes_no_other"],
    47: [
        "database.test_a_full_disk_is_an_error_of_its_own_and_nothing_is_half_written",
        "database.test_an_import_onto_a_full_disk_keeps_whole_batches_only",
    ],
    49: [
        "layer.test_a_window_of_hours_is_exact_whatever_the_form_of_the_time",
        "schema.test_times_that_sqlite_reads_become_the_one_form",
        "moments.test_the_texts_stand_in_the_order_of_the_moments",
    ],
    51: [
        "layer.test_without_as_of_a_memory_dated_in_the_future_is_seen_and_has_age_0",
        "schema.test_strength_lies_between_0_and_1_for_extreme_rows_and_future_times_have_age_0",
    ],
    53: [
        "layer.test_a_dry_run_returns_what_the_run_deletes",
        "layer.test_forget_of_another_scope_needs_all_scopes",
        "layer.test_a_pinned_memory_never_goes_by_any_sweep",
        "sweep.test_the_view_and_the_policys_sweep_take_the_same",
    ],
    55: [
        "fields.test_an_exact_old_match_beats_a_weak_fresh_one",
        "fields.test_a_file_of_one_row_gives_it_a_positive_score",
        "layer.test_ties_go_to_the_newer_then_to_the_higher_id",
    ],
    57: ["layer.test_an_odd_limit_is_an_error_that_names_it", "layer.test_limits_are_obeyed_and_huge_ones_are_legal"],
    58: [
        "layer.test_an_impossible_importance_is_an_error_and_nothing_is_stored",
        "schema.test_the_schema_itself_refuses_impossible_rows",
        "portable.test_a_bad_line_is_named_by_its_number_and_nothing_of_the_batch_is_kept",
    ],
    59: ["layer.test_a_metadata_key_is_never_read_as_syntax"],
    62: [
        "incoming.test_a_number_that_json_has_not_is_a_value_error",
        "incoming.test_keys_that_are_not_text_are_refused_rather_than_merged",
        "incoming.test_a_value_that_is_not_json_is_a_type_error_that_names_the_place",
        "layer.test_malformed_metadata_of_other_programs_is_passed_over",
    ],
    63: [
        "layer.test_no_method_reads_touches_merges_or_deletes_a_memory_of_another_scope",
        "layer.test_any_two_different_names_are_two_scopes",
    ],
    65: [
        "imports.test_importing_prints_nothing_with_warnings_as_errors",
        "imports.test_importing_opening_and_ascii_work_load_no_jieba",
        "imports.test_chinese_with_cold_bytecode_and_warnings_as_errors_prints_nothing",
        "text.test_loading_the_dictionary_prints_nothing_even_when_the_host_program_logs_everything",
    ],
    67: ["cli.test_chinese_goes_in_and_out_where_the_locale_knows_ascii_only"],
    68: [
        "database.test_after_close_no_sidecar_and_no_open_file_is_left",
        "fields.test_a_layer_that_cannot_be_opened_leaves_no_file_open",
        "database.test_close_twice_is_fine_and_use_after_close_is_an_error_of_its_own",
    ],
    69: [
        "portable.test_bom_crlf_blank_lines_and_line_separators_are_read_as_they_should",
        "portable.test_the_same_file_again_changes_nothing",
        "portable.test_every_column_comes_in_as_it_was",
        "portable.test_a_bad_line_is_named_by_its_number_and_nothing_of_the_batch_is_kept",
    ],
    70: [
        "fields.test_values_that_sqlite_does_not_know_are_converted_or_named",
        "cli.test_version_names_the_package_apsw_and_sqlite",
        "layer.test_a_parameter_that_sqlite_cannot_hold_is_a_type_error_that_names_params",
        "layer.test_sql_runs_one_statement_and_no_second_one",
    ],
}
"""Number of the report -> the tests that cover it, as module.test."""


@pytest.mark.parametrize("number", COVERED)
def test_every_report_is_covered_by_tests_that_exist(number):
    assert COVERED[number]
    for place in COVERED[number]:
        module, name = place.split(".")
        tree = ast.parse(Path(__file__).with_name(f"test_{module}.py").read_text(encoding="utf-8"))
        (test,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
        assert any(isinstance(node, ast.Assert | ast.With | ast.Call) for node in ast.walk(test)), place


def found(layer, query):
    """Return the ids that a query finds, best first, without counting an access."""
    return ids(layer.recall(query, touch=False))


def first(layer, query):
    """Return the id of the best memory that a query finds, None where it finds nothing."""
    return next(iter(found(layer, query)), None)


# ------------------------------------------------------------------------------------------------ text as syntax


@pytest.mark.parametrize(
    "query",
    [
        "don't restart",
        "why don't we restart?",
        "50% worker",
        "a,b worker",
        "1.2.3 worker",
        'say "worker',
        "/usr/bin/worker",
        "user@x.com worker",
        "x\\y worker",
        "#tag worker",
        "- worker",
        "worker AND",
        "NOT worker",
        "content_segmented : worker",
        "NEAR(worker)",
        "worker*",
        "^worker",
        "{a b}: worker",
        "(worker",
    ],
)
def test_an_apostrophe_is_no_syntax(query, layer):
    id = layer.remember("please don't restart the worker")
    assert first(layer, query) == id


@pytest.mark.parametrize(
    "name, apart",
    [
        ("GPT-4", "GPT is old, and 4 is a number"),
        ("pve-01", "a pve in rack number 01"),
        ("user_id", "the id of a user"),
        ("192.168.0.1", "1 of 192 hosts, 168 of them in 0"),
        ("a-b-c", "c then b then a"),
        ("v1.2.3", "v1 and 3 and 2"),
        ("2026-05-08", "8 of 2026 and 05 or 08"),
        ("/usr/bin/python", "python in the bin of usr"),
        ("https://example.com/x?y=1", "example of an x, y and 1 with https and com"),
    ],
)
def test_a_hyphenated_identifier_is_found_as_it_is_typed_and_before_its_parts(name, apart, layer):
    for number in range(3):
        layer.remember(f"unrelated memory number {number} of the house")
    layer.remember(f"about {apart} in the plan")
    exact = layer.remember(f"about {name} in the plan", created_at=days_ago(30))
    assert found(layer, name)[0] == exact
    assert found(layer, f"what about {name}?")[0] == exact


def test_every_punctuation_mark_is_legal_next_to_a_word_and_alone(layer):
    id = layer.remember("the rockets of nasa")
    for mark in string.punctuation + "，。！？、；：（）《》“”…—～·￥":
        assert first(layer, "nasa" + mark) == first(layer, mark + "nasa") == first(layer, f"nasa{mark}rockets") == id, (
            mark
        )
        assert found(layer, mark) == found(layer, mark * 3) == [], mark


def test_blank_queries_all_give_the_same_answer(layer):
    layer.remember("please restart the worker")
    assert {tuple(found(layer, query)) for query in ("", " ", "\u3000", "\n", "*", "\u200b", "\x00")} == {()}


def test_a_whole_sentence_finds_the_memory_it_asks_for(layer):
    english = layer.remember("deploy window is Friday 18:00")
    chinese = layer.remember("部署窗口是每周五下午六点")
    layer.remember("the kitchen window was painted on a day in May")
    assert found(layer, "do you remember when the deploy window is?")[0] == english
    assert found(layer, "你还记得部署窗口是什么时候吗")[0] == chinese


def test_a_lost_index_is_an_error_or_mended_and_never_no_memories(layer, make_layer):
    id = layer.remember("please restart the worker")
    shell(layer.path, "DROP TABLE memories_fts")
    with pytest.raises(DamagedFile):
        layer.recall("worker")
    layer.close()
    with pytest.warns(UserWarning, match="memories_fts"):
        mended = make_layer()
    assert found(mended, "worker") == [id]


def test_nul_in_content_and_query(layer):
    id = layer.remember("pre\x00post note")
    many = layer.remember("pre " + "\x00" * 7_000 + " last")
    assert "\x00" not in layer.get(id).content and "\x00" not in layer.get(many).content
    assert first(layer, "post\x00note") == id and first(layer, "last") == many
    assert rows(layer.path, "SELECT length(content) > 7000 AS whole FROM memories WHERE id = 2") == [{"whole": 1}]
    assert index_is_sound(layer.path)


# ------------------------------------------------------------------------------------------------ scripts


@pytest.mark.parametrize("query", ["深色模式", "偏好", "深色", "模式", "用户", "用户偏好", "我喜欢什么模式？"])
def test_parts_of_a_chinese_sentence_are_found(query, layer):
    id = layer.remember("用户偏好深色模式")
    layer.remember("每周五下午六点以后不发布")
    assert first(layer, query) == id


@pytest.mark.parametrize("query", ["itgc", "gen", "gen-itgc", "重跑", "清零", "50"])
def test_latin_words_glued_to_chinese_are_found(query, layer):
    one = layer.remember("重跑gen-itgc后50条清零")
    second = layer.remember("把API配置改到user_id字段，放在C盘")
    assert first(layer, query) == one
    for other in ("API", "api配置", "user_id", "配置", "c盘", "C盘"):
        assert first(layer, other) == second, other


@pytest.mark.parametrize(
    "content, characters",
    [
        ("我家的猫叫团子", "家猫叫团子"),
        ("喜欢吃火锅", "喜欢吃火锅"),
        ("数据库连接池配置错误", "数据库连接池配置错误"),
        ("老周说明天下雨", "老周明天下雨"),
    ],
)
def test_single_characters_are_found(content, characters, layer):
    id = layer.remember(content)
    for character in characters:
        assert first(layer, character) == id, character


def test_pieces_of_a_word_in_unrelated_places_rank_below_the_word(layer):
    whole = layer.remember("部署流程需要灰度")
    layer.remember("部署完成。署流异常。流程结束")
    assert found(layer, "部署流程")[0] == whole


def test_traditional_and_simplified_meet(layer):
    id = layer.remember("資料庫遷移前一定要先備份")
    assert layer.get(id).content == "資料庫遷移前一定要先備份"
    for query in ("備份", "备份", "遷移", "迁移", "資料庫", "资料库"):
        assert first(layer, query) == id, query
    simplified = layer.remember("营收数据在周报里")
    assert first(layer, "營收") == simplified


def test_the_dictionary_of_the_host_program_does_not_part_index_and_query(path):
    script = """
        import sys
        from sqlite_memory import SQLiteMemoryLayer
        with SQLiteMemoryLayer(sys.argv[1]) as memory:
            memory.remember("项目代号是夜航船")
            import jieba
            jieba.setLogLevel(60)
            jieba.add_word("夜航船")
            memory.remember("第二艘夜航船也是项目")
            print([m.id for m in memory.recall("夜航船", touch=False)].count(1), len(memory.recall("夜航船")))
    """
    assert python(script, path, options=("-W", "ignore")) == "1 2\n"


def test_c_plus_plus_and_c_sharp_rank_first_for_themselves(layer):
    plus = layer.remember("prefers C++")
    plain = layer.remember("vitamin C dose")
    sharp = layer.remember("prefers C#")
    net = layer.remember("builds with .NET and Node.js")
    assert found(layer, "C++")[0] == plus and found(layer, "c++ please")[0] == plus
    assert found(layer, "C#")[0] == sharp and found(layer, "F#") == []
    assert plain in found(layer, "C")
    assert first(layer, ".NET") == first(layer, "node.js") == net


def test_a_korean_noun_is_found_with_its_particle(layer):
    id = layer.remember("배포는 금요일에 한다")
    notion = layer.remember("Notion에 정리했다")
    for query in ("배포", "금요일", unicodedata.normalize("NFD", "배포"), unicodedata.normalize("NFD", "금요일")):
        assert first(layer, query) == id, query
    assert first(layer, "Notion") == first(layer, "notion에") == notion


def test_full_and_half_width_forms_meet_and_the_content_stays(layer):
    one = layer.remember("型号ＡＢＣ１２３")
    other = layer.remember("開始ﾕｰｻﾞｰ認証")
    assert {first(layer, query) for query in ("abc123", "ABC123", "ａｂｃ１２３")} == {one}
    assert first(layer, "ユーザー") == first(layer, "ﾕｰｻﾞｰ") == other
    assert [layer.get(id).content for id in (one, other)] == ["型号ＡＢＣ１２３", "開始ﾕｰｻﾞｰ認証"]


def test_one_text_in_several_forms_is_one_memory(layer):
    text = "Café au lait"
    forms = [text, unicodedata.normalize("NFD", text), "Café  au lait\n", "Ca\u200bfé au lait", "café AU lait"]
    assert len({layer.remember(form) for form in forms}) == 1
    assert layer.get(1).content == text
    assert layer.remember(text, agent_id="x") != 1


# ------------------------------------------------------------------------------------------------ the file, the score


def test_the_old_shell_inserts_deletes_and_searches(layer):
    layer.remember("用户偏好深色模式")
    layer.close()
    assert shell(
        layer.path,
        "INSERT INTO memories (agent_id, content) VALUES ('a', 't'); "
        "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 't'; DELETE FROM memories WHERE id = 2; "
        "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 't'",
    ) == ["1", "0"]
    assert "REPLACE" in shell_error(layer.path, "REPLACE INTO memories (id, content) VALUES (1, 'x')")
    assert index_is_sound(layer.path)


def test_an_exact_old_match_beats_a_weak_fresh_one(layer):
    old = layer.remember("the garage door code is on the blue card", created_at=days_ago(60))
    for number in range(10):
        layer.remember(f"the door of room {number} was painted today")
    assert found(layer, "garage door code")[0] == old


def test_a_file_of_one_row_gives_it_a_positive_score(layer):
    layer.remember("please restart the worker")
    (memory,) = layer.recall("worker", touch=False)
    assert memory.score > 0 and memory.relevance > 0
    for number in range(20):
        layer.remember(f"worker number {number}")
    assert all(memory.score > 0 for memory in layer.recall("worker", limit=30))


def test_a_layer_that_cannot_be_opened_leaves_no_file_open(layer, make_layer):
    layer.close()
    shell(layer.path, "DROP TRIGGER memories_delete")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            make_layer()
    shell(layer.path, "INSERT INTO memories (content) SELECT 'row ' || value FROM generate_series(1, 2005)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            make_layer()
    # nothing_stays_open, which ends every test, looks at the descriptors of this process
    assert index_is_sound(layer.path)


def test_values_that_sqlite_does_not_know_are_converted_or_named(tmp_path, make_layer):
    layer = make_layer(pathlib.Path(tmp_path) / "path.db")
    id = layer.remember(
        "please restart the worker", created_at=datetime.datetime(2026, 1, 1), expires_at=datetime.date(2099, 1, 1)
    )
    assert layer.get(id).created_at == "2026-01-01T00:00:00.000Z"
    assert ids(layer.recall("worker", since=datetime.date(2026, 1, 1), until=datetime.datetime(2026, 1, 2))) == [id]
    refused = [
        ("metadata", lambda: layer.remember("x y z w", metadata={"when": datetime.datetime.now()})),
        ("agent_id", lambda: layer.remember("x y z w", agent_id=uuid.uuid4())),
        ("session_id", lambda: layer.recall("x", session_id=uuid.uuid4())),
        ("max_age_days", lambda: layer.forget(max_age_days=datetime.datetime.now())),
        ("content", lambda: layer.remember(b"bytes")),
        ("id", lambda: layer.get([1])),
        ("where", lambda: layer.recall("x", where={"a": pathlib.Path("x")})),
        ("tags", lambda: layer.recall("x", tags=[uuid.uuid4()])),
        ("expected_version", lambda: layer.update(id, expected_version=datetime.date(2026, 1, 1))),
    ]
    for name, call in refused:
        with pytest.raises(TypeError, match=name) as caught:
            call()
        assert "Bad binding" not in str(caught.value)
