"""A game's rules as one page to read: the frame around what referee/page.py makes, light and dark, narrow and wide."""

import base64
import hashlib
from html import escape

from referee.page import Html

STYLE = """
:root{color-scheme:light dark;--ink:#1c2733;--soft:#586473;--paper:#fbf8f1;--card:#efe9dc;--line:#cfc6b2;--link:#1d5c8f}
@media (prefers-color-scheme:dark){
:root{--ink:#e8e4da;--soft:#a9b1ba;--paper:#151b22;--card:#202933;--line:#3a4653;--link:#8cc4f0}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{font:17px/1.6 system-ui,sans-serif;margin:0;padding:1.5rem 1rem 4rem;color:var(--ink);background:var(--paper)}
body{overflow-wrap:break-word}
main{max-width:46rem;margin:0 auto}
h1{font-size:2rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.35rem;line-height:1.3;margin:2.75rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1.08rem;margin:1.75rem 0 .4rem}
p,ul,ol{margin:.6rem 0}li{margin:.25rem 0}
a{color:var(--link)}a:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:3px}
nav{margin-bottom:1.2rem;border:1px solid var(--line);border-radius:8px;padding:.6rem 1rem;background:var(--card)}
nav h2{font-size:1rem;margin:0;padding:0;border:0}
nav ul{columns:16rem;list-style:none;margin:.4rem 0 0;padding:0}nav li{break-inside:avoid;margin:0}
nav a{display:block;padding:.3rem 0;text-decoration:none}
code{font-size:.88em;background:var(--card);padding:.1em .3em;border-radius:3px}
pre{background:var(--card);border-radius:6px;padding:1rem;overflow-x:auto;line-height:1.45}
pre code{background:none;padding:0}
.wide{overflow-x:auto;margin:.9rem 0}
table{border-collapse:collapse;font-size:.94rem;line-height:1.4}
th,td{border-bottom:1px solid var(--line);padding:.45rem .9rem .45rem 0;text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600}
td:first-child{min-width:5.5rem}
blockquote{margin:.9rem 0;padding:.1rem 1rem;border-left:4px solid var(--line);color:var(--soft)}
.rule{white-space:nowrap;font-size:.88em;color:var(--soft)}
.picture{display:block;margin:1.1rem 0}
img{display:block;width:100%;height:auto;border-radius:4px}
"""

# Its own style and pictures from here: nothing else is loaded, and nothing runs.
POLICY = (
    "default-src 'none'; img-src 'self'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: the rules</title>
<style>{style}</style>
<main>
{head}<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ul>
{contents}
</ul>
</nav>
{body}</main>
</html>
"""


def framed(page: Html) -> str:
    """The whole document; the contents stand below the title."""
    head, mark, body = page.body.partition("</h1>\n")
    if not mark:
        head, body = "", page.body
    contents = "\n".join(f'<li><a href="#{anchor}">{escape(words)}</a></li>' for anchor, words in page.headings)
    return PAGE.format(title=escape(page.title), style=STYLE, head=head + mark, contents=contents, body=body)
