"""Compares files of deal values with the values of the solver, and with the output of the command `overmate data`."""

import pathlib

import numpy as np
import overmate
import pytest
from overmate import DataError, RuleSet, WholeGame, data
from support import binary, output, refusal


def test_a_file_holds_the_values_of_the_solver(tmp_path: pathlib.Path) -> None:
    file, rules = tmp_path / "single.parquet", RuleSet("bga")
    # The test writes a file with the values that a retrograde analysis of all deals gives. The expected values come
    # from solving single deals.
    whole = WholeGame.solve(rules, threads=2)
    everything = range(rules.deal_count)
    data.write(file, everything, {"bga": whole.values(everything)})
    table = data.read(file)
    assert len(table) == rules.deal_count == 184_756
    assert (table.deal == np.arange(184_756)).all()
    assert (table.same_as == table.deal).all()
    deals = range(20_000, 20_200)
    expected = overmate.solve_deals(rules, deals, threads=2)
    assert table.values["bga"].dtype == expected.dtype == np.int32
    assert (table.values["bga"][20_000:20_200] == expected).all()
    for deal, value in zip(deals, expected, strict=True):
        assert table.value(deal, "bga") == value
        dealt = rules.deal(deal)
        assert table.first[deal] == " ".join(dealt.hand("first"))
        assert table.second[deal] == " ".join(dealt.hand("second"))
    assert output("data", "--verify", 100, file).startswith("All is in order\n  100 values of 100")
    wins = [int(np.count_nonzero(table.values["bga"] * sign > 0)) for sign in (1, -1)]
    (facts,) = binary("data", "--json", file)
    assert wins == [facts["first_wins"], facts["second_wins"]] == [91_353, 40_138]


def test_rows_equal_those_of_the_binary(tmp_path: pathlib.Path) -> None:
    file, deals = tmp_path / "double.parquet", np.arange(300, 400)
    names = ["sackson+double", "bga+double+free-move"]
    data.write(file, deals, {name: overmate.solve_deals(RuleSet(name), deals) for name in names})
    table = data.read(file)
    rows = binary("data", "--json", file, "300..400")
    assert [int(row["deal"]) for row in rows] == table.deal.tolist() == deals.tolist()
    assert [int(row["same_as"]) for row in rows] == table.same_as.tolist()
    assert (table.same_as < table.deal).any()
    for row, first, second in zip(rows, table.first, table.second, strict=True):
        assert (" ".join(row["first"]), " ".join(row["second"])) == (first, second)
        for name in names:
            assert row["values_for_first"][name] == table.value(int(row["deal"]), name)
    assert list(table.values) == names
    chosen = data.read(str(file), names[1:])
    assert list(chosen.values) == names[1:]
    assert (chosen.values[names[1]] == table.values[names[1]]).all()
    assert table.metadata["overmate.format"] == "1"
    assert repr(table) == "<DealTable: 100 deals, 2 rule sets>"


def test_faults_have_the_texts_of_the_binary(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "some.parquet"
    data.write(file, [5, 7, 9], {"bga": [0, 1, -1]})
    good = file.read_bytes()
    changed = bytearray(good)
    changed[20] ^= 4  # in the first column
    cases = {
        "text": (b"deal,same_as", "the file is not a Parquet file"),
        "cut": (good[:-20], "the file is not complete"),
        "changed": (bytes(changed), "the file is damaged"),
    }
    for name, (contents, fault) in cases.items():
        bad = tmp_path / f"{name}.parquet"
        bad.write_bytes(contents)
        with pytest.raises(DataError, match=fault) as raised:
            data.read(bad)
        assert str(raised.value) in refusal("data", bad)
    with pytest.raises(DataError, match="No such file"):
        data.read(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="the file has no column `pagat`: choose bga"):
        data.read(file, ["pagat"])
    table = data.read(file)
    assert table.value(9, "bga") == -1
    for deal in (-1, 0, 6, 10):
        fault = f"no deal {deal}: choose a deal that the table lists, from 5 to 9"
        with pytest.raises(DataError, match=fault):
            table.value(deal, "bga")
    with pytest.raises(DataError, match="the table has no column `pagat`: choose one of bga"):
        table.value(5, "pagat")
    with pytest.raises(DataError, match="not in ascending order"):
        data.write(file, [7, 5], {"bga": [0, 0]})
    with pytest.raises(DataError, match="has 1 values for 2 deals"):
        data.write(file, [5, 7], {"bga": [0]})
    with pytest.raises(DataError, match="different decks"):
        data.write(file, [5], {"bga": [0], "bga+double": [0]})
    with pytest.raises(overmate.RulesError, match="there is no rule set `chess`"):
        data.write(file, [5], {"chess": [0]})
    assert len(data.read(file)) == 3
