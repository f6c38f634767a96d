"""Search takes any text: signs, identifiers, scripts, questions, ids."""

import pytest

from tests.people import Api

pytestmark = pytest.mark.django_db


SYNTAX = [
    '"', "'", "AND", "OR NOT", "NEAR(a b)", "*", "a*", "-", "col:umn", "^a", "(", ")",
    "{a}", "a AND", "% _", "\\", "';--", "a\tb\nc", "\u0000"[:0], "🙂", "...", "&|!<->",
]  # fmt: skip


@pytest.mark.parametrize("text", SYNTAX)
def test_no_text_is_query_syntax(alice_api: Api, text: str) -> None:
    alice_api.write("nothing in common with it")
    answer = alice_api.post("/memory/search", {"query": text})
    assert answer.status_code == 200


@pytest.mark.parametrize("text", ["", "   ", "...", "?!", "\n"])
def test_a_query_without_words_finds_nothing(alice_api: Api, text: str) -> None:
    alice_api.write("anything")
    answer = alice_api.post("/memory/search", {"query": text})
    assert answer.status_code == 200
    assert answer.json()["results"] == []


IDENTIFIERS = [
    ("The link runs at 40 GB/s between the sites.", "GB/s"),
    ("The audit is due on 2026-12-15.", "2026-12-15"),
    ("It is a multi-agent system.", "multi-agent"),
    ("Please don't restart it.", "don't restart"),
    ("The host runs ubuntu 20.04 still.", "ubuntu 20.04"),
    ("Gateway is 10.0.4.17 for now.", "10.0.4.17"),
    ("Column user_id is a foreign key.", "user_id"),
    ("Fixed in v2.31.0 of the client.", "v2.31.0"),
    ("Edit /etc/nginx/nginx.conf by hand.", "/etc/nginx/nginx.conf"),
    ("Edit /etc/nginx/nginx.conf by hand.", "nginx.conf"),
    ("It failed with ERR_CONN_RESET again.", "ERR_CONN_RESET"),
    ("Call getUserName before that.", "getUserName"),
    ("Call getUserName before that.", "user name"),
    ("Write to ops@example.org about it.", "ops@example.org"),
]


@pytest.mark.usefixtures("_no_vectors")
@pytest.mark.parametrize(("text", "query"), IDENTIFIERS)
def test_identifiers_are_found_whole_and_by_parts(
    alice_api: Api, text: str, query: str
) -> None:
    made = alice_api.write(text)
    alice_api.write("Something else altogether, without it.")
    hits = alice_api.post("/memory/search", {"query": query}).json()["results"]
    assert hits
    assert hits[0]["id"] == made["id"]


SCRIPTS = [
    ("外币汇率换算要用央行的中间价", "外币汇率换算"),
    ("東京駅の近くに会社があります", "東京駅"),
    ("한국어 문서는 위키에 있습니다", "한국어"),
    ("การประชุมอยู่ที่ห้องสาม", "ประชุม"),
    ("الاجتماع يوم الأحد في المكتب", "اجتماع"),
    ("Совещание перенесли на вторник", "совещания"),
    ("Die Datenbanksicherung läuft nachts", "Sicherung"),
    ("Reisekostenabrechnungen gehen an Frau Schröder", "Abrechnung der Reisekosten"),
    ("Cuộc họp vào thứ hai hàng tuần", "cuoc hop"),
    ("Das café öffnet um acht", "cafe"),
]


@pytest.mark.usefixtures("_no_vectors")
@pytest.mark.parametrize(("text", "query"), SCRIPTS)
def test_every_script_is_searchable(alice_api: Api, text: str, query: str) -> None:
    made = alice_api.write(text)
    for other, _ in SCRIPTS:
        if other != text:
            alice_api.write(other)
    hits = alice_api.post("/memory/search", {"query": query}).json()["results"]
    assert hits
    assert hits[0]["id"] == made["id"]


@pytest.mark.usefixtures("_no_vectors")
def test_the_exact_form_comes_first(alice_api: Api) -> None:
    plain = alice_api.write("the cafe on the corner")["id"]
    accented = alice_api.write("the café on the corner")["id"]
    assert [hit["id"] for hit in alice_api.search("café")] == [accented, plain]
    assert [hit["id"] for hit in alice_api.search("cafe")] == [plain, accented]


@pytest.mark.usefixtures("_no_vectors")
def test_a_natural_question_need_not_match_every_word(alice_api: Api) -> None:
    made = alice_api.write(
        "Rotating the signing certificate: run rotate-cert.sh on edge-2."
    )
    hits = alice_api.search("How do we rotate the signing certificate these days?")
    assert [hit["id"] for hit in hits] == [made["id"]]


@pytest.mark.usefixtures("_no_vectors")
def test_the_question_at_the_end_of_a_long_prompt_counts(alice_api: Api) -> None:
    made = alice_api.write("The quokka enclosure opens at nine.")
    for n in range(5):
        alice_api.write(f"Background on reports, number {n}.")
    prompt = "Some background about reports and tickets. " * 400
    hits = alice_api.search(f"{prompt} When does the quokka enclosure open?")
    assert hits[0]["id"] == made["id"]


def test_an_id_is_a_direct_lookup(alice_api: Api, bob_api: Api) -> None:
    made = alice_api.write("found by its id")
    assert alice_api.search(made["id"])[0]["id"] == made["id"]
    assert bob_api.search(made["id"]) == []
