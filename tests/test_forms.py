"""Irregular English forms that no stemmer joins."""

from __future__ import annotations

from sqlite_memory.forms import FORMS


def test_every_form_leads_to_all_forms_of_its_word_the_base_first():
    assert FORMS["went"] == FORMS["go"] == FORMS["gone"] == ("go", "went", "gone")
    assert FORMS["children"][0] == "child"
    for form, forms in FORMS.items():
        assert form in forms and forms[0] in FORMS


def test_regular_and_unknown_words_have_no_entry():
    assert not {"deploy", "deployed", "walk", "", "house"} & FORMS.keys()


def test_all_forms_are_lower_case_words():
    assert all(form.isalpha() and form == form.lower() for form in FORMS)


def test_a_question_finds_a_memory_with_another_form_of_its_word(layer):
    id = layer.remember("Maya went to Kyoto and bought two old maps")
    layer.remember("the printer of the third floor is empty")
    assert layer.recall("where did Maya go?")[0].id == id
    assert layer.recall("what did she buy?")[0].id == id


def test_what_died_is_found_by_when_it_did_die(layer):
    id = layer.remember("My dog Rex died in March")
    layer.remember("My dog Bello barks in March")
    assert layer.recall("when did my dog die?")[0].id == id
