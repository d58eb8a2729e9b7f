"""Of two outputs of `quadrille prove`, whatever is proved in the second and not in the first has the name of a limit there, or
that there was less effort than usual."""
import re
import sys

little, usual = ({line.split()[0]: line for line in open(name) if "/" in line.split()[0]} for name in sys.argv[1:])
if little.keys() != usual.keys():
    sys.exit("not the same schedules")
differing = [name for name in little if "but" in little[name] or "proved for all p" not in little[name]]
differing = [name for name in differing if little[name] != usual[name]]
nameless = [little[name] for name in differing if not re.search(r", within `[A-Za-z]+` = \d+", little[name])]
silent = [line for line in nameless if ", with --effort=0.01 " not in line]
print(f"{len(differing)} of {len(little)} are not shown with less, {len(nameless)} of them without a limit's name", *nameless, sep="\n")
# Few searches do not tell which limit ended them; that there was little effort is said in any case.
sys.exit(bool(silent) or not differing or 10 * len(nameless) > len(differing))
