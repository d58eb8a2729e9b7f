"""Changes entries of the cache: forge.py FOLDER HOW [KIND], where KIND is `proofs` (the default) or `costs`, and HOW one of

rewrite     lets every proof leave open what it has shown, and name `as was written` as the reason, and lets every formula begin
            with it; and carry the hash that goes with it, as if it had been written so: whoever prints it has read it
flip        lets it say so without that hash
truncate    keeps the first half of every entry
empty       keeps nothing of it
swap        exchanges the contents of the two entries that there are
folder      puts folders in the place of entries
"""

import hashlib
import os
import sys

folder, how = sys.argv[1:3]
kind = sys.argv[3] if len(sys.argv) > 3 else "proofs"
folder = os.path.join(folder, kind)
entries = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("entry-") and "." not in name)
if not entries:
    sys.exit("there are no entries in " + folder)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def forged(content):
    text = content.split(b"\n", 1)[1]
    shown, reason = b'"open":null', b'"open":{"gap":"NotShown","limit":null,"subject":"as was written"}'  # of a claim of a proof
    formula = b'"formula":"'  # of a cost
    return text.replace(shown, reason).replace(formula, formula + b"as was written: ")


contents = [read(path) for path in entries]
# Some entries may have been forged before.
if how in ("rewrite", "flip") and all(forged(content) == content.split(b"\n", 1)[1] for content in contents):
    sys.exit("nothing to change")
if how == "swap" and len(entries) != 2:
    sys.exit(f"{len(entries)} entries")
for i, (path, content) in enumerate(zip(entries, contents)):
    if how == "rewrite":
        text = forged(content)
        write(path, hashlib.sha256(b"%d:%s" % (len(text), text)).hexdigest().encode() + b"\n" + text)
    elif how == "flip":
        write(path, content.split(b"\n", 1)[0] + b"\n" + forged(content))
    elif how == "truncate":
        write(path, content[: len(content) // 2])
    elif how == "empty":
        write(path, b"")
    elif how == "swap":
        write(path, contents[1 - i])
    elif how == "folder":
        os.remove(path)
        os.mkdir(path)
    else:
        sys.exit("unknown: " + how)
