"""Looks at what a calibration wrote: all that there should be, and numbers that agree with each other.

usage: right-machine.py FILE BACKEND RANKS TYPE BYTES
"""

import json
import sys

file, backend, ranks, element, size = sys.argv[1:6]
machine = json.load(open(file))
assert machine["backend"] == backend and machine["ranks"] == int(ranks)
assert machine["element"] == {"type": element, "bytes": int(size)}
fits = {fit["pattern"]: fit for fit in machine["fits"]}
assert list(fits) == ["message", "exchange", "shift", "combine"]
assert [fits[pattern]["ranks"] for pattern in fits] == [2, 2, int(ranks), int(ranks)]
assert machine["alpha"] == fits["shift"]["startup"] and machine["beta"] == fits["shift"]["per_word"]
assert machine["gamma"] == fits["combine"]["per_word"]
for fit in fits.values():
    assert [point["words"] for point in fit["points"]] == [1 << i for i in range(21)]
    errors = []
    for point in fit["points"]:
        assert 0 < point["lower_quartile"] <= point["median"] <= point["upper_quartile"]
        errors.append(abs((fit["startup"] + fit["per_word"] * point["words"]) / point["median"] - 1))
    assert abs(max(errors) - fit["worst_relative_error"]) < 1e-3, (max(errors), fit["worst_relative_error"])
    assert fit["r2"] <= 1
