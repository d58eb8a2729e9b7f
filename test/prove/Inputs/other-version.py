#!/usr/bin/env python3
"""Makes a program of another version: one that the linker would have given another hash (id), or one without a hash (none).

usage: other-version.py id|none PROGRAM
"""

import pathlib
import sys


def main():
    kind, file = sys.argv[1], pathlib.Path(sys.argv[2])
    program = bytearray(file.read_bytes())
    note = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"  # the sizes of a name and of a hash, the type of the note, the name
    at = program.index(note)
    if kind == "id":
        program[at + len(note)] ^= 1
    else:
        program[at + 8] = 0x7F
    file.write_bytes(program)


main()
