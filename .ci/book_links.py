#!/usr/bin/env python3
"""Links of the book.

As a preprocessor of mdBook (book.toml): relative links to files outside docs/ become links to the
repository, because the site has only docs/. With RACELINE_SITE in the environment, which `.ci/site`
sets, `<!-- app: EXAMPLE -->` becomes a frame that opens the app with that example when it is asked to, and
`<!-- page: NAME -->` a link to the interactive page of a line in the gallery; elsewhere they stay comments, which
nobody sees.

`book_links.py --check SITE` fails if a relative link of a page of the built site leads nowhere.
"""

import html.parser
import json
import os
import posixpath
import re
import sys
import urllib.parse
from pathlib import Path

REPOSITORY = "https://github.com/raceline/raceline/blob/main/"
LINK = re.compile(r"\]\(([^()\s]+)\)")
APP = re.compile(r"<!-- app: ([a-z]+) -->")
PAGE = re.compile(r"<!-- page: ([a-z]+) -->")
# Those of the app's first screen.
EXAMPLES = json.loads((Path(__file__).parent.parent / "crates/web/app/examples.json").read_text(encoding="utf-8"))


def in_book(page: str, link: str) -> str:
    """The link of a page of docs/, as it is in the book."""
    if "://" in link or link.startswith(("#", "mailto:")):
        return link
    target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    if not target.startswith("docs/"):
        return REPOSITORY + target
    # The page of a folder is its index.
    return re.sub(r"(^|/)README\.md(?=#|$)", r"\1index.md", link)


def frame(root: str, example: str) -> str:
    """A frame with the picture of an example and a link that opens the app there. The app is 2.5 MB and makes a line
    as soon as it is open, which would take a phone's processor and a reader's data plan from the text."""
    [picture] = [one["picture"] for one in EXAMPLES if any(name.split(".")[0] == example for name in one["files"])]
    inside = (
        "<style>html,body,a{height:100%;margin:0;background:white}a{display:grid;place-content:center;justify-items:center;gap:1em;"
        "font:1.1em system-ui;text-align:center}img{max-width:80vw;max-height:60vh}</style>"
        f"<a href='{root}app/index.html?example={example}'><img src='{root}app/examples/{picture}' alt=''>"
        "Open this track in the app</a>"
    )
    return f'<iframe srcdoc="{inside}" title="raceline with this track" width="100%" height="720" loading="lazy"></iframe>'


def with_app(page: str, text: str) -> str:
    """The text of a page with the app and with links to interactive pages."""
    root = "../" * page.count("/")
    text = APP.sub(lambda found: frame(root, found[1]), text)
    return PAGE.sub(rf"[As an interactive page]({root}gallery/\1.html)", text)


def mended(page: str, text: str) -> str:
    """The text of a page with the links of the book; blocks of code stay."""
    if os.environ.get("RACELINE_SITE"):
        text = with_app(page, text)
    lines = []
    is_code = False
    for line in text.split("\n"):
        is_code ^= line.lstrip().startswith("```")
        lines.append(line if is_code else LINK.sub(lambda found: f"]({in_book(page, found[1])})", line))
    return "\n".join(lines)


def mend(items: list) -> None:
    """Mends the chapters among `items` and those below them."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter is None:
            continue
        if chapter["path"]:
            chapter["content"] = mended(chapter["path"], chapter["content"])
        mend(chapter["sub_items"])


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, file: Path):
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        self.links.update(attributes[name] for name in ("href", "src") if attributes.get(name))


def check(site: Path) -> int:
    """Prints the links that lead nowhere and returns their number."""
    # 404.html is shown at any address, and toc.html is a part of every page.
    pages = {file: Page(file) for file in sorted(site.rglob("*.html")) if file.name not in ("404.html", "toc.html")}
    broken = 0
    for file, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "print.html":
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            anchors = pages[target].anchors if target in pages else None
            if not target.is_file() or parts.fragment and anchors is not None and parts.fragment not in anchors:
                print(f"{file.relative_to(site)}: {link} leads nowhere")
                broken += 1
    return broken


def main() -> int:
    match sys.argv[1:]:
        case ["supports", renderer]:
            return 0 if renderer == "html" else 1
        case ["--check", site]:
            return min(check(Path(site).resolve()), 1)
        case []:
            _, book = json.load(sys.stdin)
            mend(book.get("items") or book.get("sections"))
            json.dump(book, sys.stdout)
            return 0
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main())
