#!/usr/bin/env python3
"""`book_pages.py SITE` mends what Lighthouse finds in the pages that mdBook has built.

- The button of the sidebar is a label with attributes that only a button may have, and no key reaches it.
- Links in the bar and in the sidebar are 22 px high, where a finger needs 24.
- Nothing is shown before 200 kB of fonts and nine scripts have come: the system's fonts and deferred scripts do.
- A picture has no size, so that the text below it jumps, and is loaded before it is looked at.
- An event of browsers before 2009 keeps pages out of the cache for going back.

Fails where mdBook's pages are other ones than those that this was written for.
"""

import re
import struct
import sys
from pathlib import Path

LABEL = re.compile(r'<label (id="mdbook-sidebar-toggle" class="icon-button") for="([^"]+)"(.*?)</label>', re.DOTALL)
# After mdBook's own listener, which shows the sidebar before it moves.
BUTTON = r"""<button \1 type="button" onclick="setTimeout(() => document.getElementById('\2').click())"\3</button>"""
FONTS = re.compile(r'\s*<!-- Fonts -->\s*<link rel="stylesheet" href="[^"]*fonts/fonts-[0-9a-f]+\.css">')
STYLE = """    <style>
            .right-buttons a, .sidebar a { display: inline-block; min-height: 24px; }
            .icon-button { font-size: inherit; }
            main img { height: auto; }
        </style>
    </head>"""
SCRIPT = re.compile(r"<script src=")
IMAGE = re.compile(r'<img src="([^"]+\.png)"')
UNLOAD = "window.onunload = function() { };"
# Without a visitor, or a part of another page.
PARTS = ("print.html", "toc.html")


def size(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG, which its first chunk states."""
    head = picture.read_bytes()[:24]
    if head[12:16] != b"IHDR":
        raise SystemExit(f"{picture} is no PNG")
    return struct.unpack(">II", head[16:24])


def replaced(text: str, old: str, new: str, place: Path) -> str:
    """The text with a part replaced that must be there."""
    if old not in text:
        raise SystemExit(f"{place} has no {old!r}: is mdBook another one?")
    return text.replace(old, new)


def mended(page: Path) -> str:
    """The text of a page, mended."""
    text = page.read_text(encoding="utf-8")
    text = replaced(text, "</head>", STYLE, page)
    text, labels = LABEL.subn(BUTTON, text)
    text, fonts = FONTS.subn("", text)
    if (labels, fonts) != (1, 1):
        raise SystemExit(f"{page} has {labels} buttons of a sidebar and {fonts} links to fonts: is mdBook another one?")
    text = SCRIPT.sub("<script defer src=", text)
    count = 0

    def with_size(found: re.Match) -> str:
        nonlocal count
        count += 1
        width, height = size(page.parent / found[1])
        # The first one may be in sight.
        lazy = ' loading="lazy"' if count > 1 else ""
        return f'<img width="{width}" height="{height}"{lazy} src="{found[1]}"'

    return IMAGE.sub(with_size, text)


def main(site: Path) -> None:
    """Mends every page of the site."""
    for page in sorted(site.rglob("*.html")):
        if page.name not in PARTS:
            page.write_text(mended(page), encoding="utf-8")
    [script] = site.glob("book-*.js")
    script.write_text(replaced(script.read_text(encoding="utf-8"), UNLOAD, "", script), encoding="utf-8")


main(Path(sys.argv[1]))
