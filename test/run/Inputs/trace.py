"""trace.py TRACE.json MATRIX.csv BYTES [OTHER.json]: examines what `quadrille run --trace-times` has written of one case.

Each message has two ends that agree, times are in order, and ranks send what the matrix of `quadrille plot --matrix` says, in words of BYTES bytes. OTHER is another run of the
same case: it has other times, and else the same."""
import csv
import json
import sys
from collections import defaultdict


def read(file):
    with open(file) as text:
        cases = json.load(text)["schedules"][0]["cases"]
    assert len(cases) == 1, "one case"
    return cases[0]


case = read(sys.argv[1])
trace, p = case["trace"], case["p"]
operations = trace["operations"]
assert trace["clock"] == "one", trace["clock"]
assert 0 <= trace["call"] < trace["calls"], "which call"

ends = defaultdict(dict)
sent = defaultdict(int)
for one in operations:
    assert 0 <= one["ready"] <= one["begin"] <= one["end"] <= trace["seconds"] + 1e-9, one
    if "partner" not in one:
        assert one["kind"] in ("copy", "combine"), one
        continue
    assert one["line"] > 0 and one["step"] > 0 and 0 <= one["partner"] < p, one
    isSend = one["kind"] == "send"
    pair = (one["rank"], one["partner"]) if isSend else (one["partner"], one["rank"])
    end = ends[pair + (one["message"],)]
    assert isSend not in end, "a message has two ends"
    end[isSend] = one
    if isSend:
        sent[pair] += one["bytes"]
for message, end in ends.items():
    assert len(end) == 2, f"message {message} has one end"
    assert end[True]["bytes"] == end[False]["bytes"], message
    assert end[True]["ready"] <= end[False]["end"], f"message {message} arrives before it is sent"
with open(sys.argv[2]) as text:
    words = {(int(row["source"]), int(row["destination"])): int(row["words"]) for row in csv.DictReader(text)}
assert {pair: count * int(sys.argv[3]) for pair, count in words.items()} == dict(sent), (words, dict(sent))
ranks = [one["rank"] for one in operations]
assert ranks == sorted(ranks) and len(set(ranks)) == p, "rank after rank"

if len(sys.argv) > 4:
    def withoutTimes(of):
        return [{name: value for name, value in one.items() if name not in ("ready", "begin", "end")} for one in of]

    assert withoutTimes(operations) == withoutTimes(read(sys.argv[4])["trace"]["operations"]), "another order"
print(f"{len(ends)} messages, {len(operations)} operations")
