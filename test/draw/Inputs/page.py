"""What a page shows, step by step; fails if it asks for another file, or if the picture is not well-formed.

usage: page.py PAGE
"""

import json
import re
import sys
import xml.etree.ElementTree


def main():
    page = open(sys.argv[1], encoding="utf-8").read()
    picture = xml.etree.ElementTree.fromstring(re.search(r"<svg.*?</svg>", page, re.DOTALL)[0])
    asked = re.findall(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    scripts = re.findall(r"<script.*?>(.*?)</script>", page, re.DOTALL)
    data = json.loads(scripts[0])
    for step in data["steps"]:
        print(f"{step['name']}: {' | '.join(' '.join(cells) for cells in step['table'])}")
    groups = [g.get("data-step") for g in picture.iter("{http://www.w3.org/2000/svg}g") if g.get("data-step")]
    print(f"{len(data['steps'])} steps, {len(groups)} groups in {len(set(groups))} of them")
    if asked or len(scripts) != 2:
        print(f"the page asks for other files: {asked}")
        return 1
    return 0


sys.exit(main())
