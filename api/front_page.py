"""The page at the root: what this is, and where to go on from here."""

from html import escape

from flask import Blueprint, Response, request

from referee.games import all_games

bp = Blueprint("front_page", __name__)

STYLE = """
:root{color-scheme:light dark;--ink:#1c2733;--soft:#586473;--paper:#fbf8f1;--card:#efe9dc;--line:#cfc6b2;--link:#1d5c8f}
@media (prefers-color-scheme:dark){
:root{--ink:#e8e4da;--soft:#a9b1ba;--paper:#151b22;--card:#202933;--line:#3a4653;--link:#8cc4f0}}
*{box-sizing:border-box}
body{font:17px/1.55 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:2rem 1rem 3rem}
body{color:var(--ink);background:var(--paper)}
h1{margin:0;font-size:2rem;letter-spacing:.01em}h2{font-size:1.1rem;margin:2rem 0 .5rem}
a{color:var(--link)}a:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:2px}
ul{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
li{border-bottom:1px solid var(--line);padding:.6rem 0}li span{display:block;color:var(--soft)}
pre{background:var(--card);border-radius:6px;padding:1rem;overflow-x:auto;font-size:.85rem;line-height:1.5}
"""

LINKS = (
    ("/v1/docs", "The API", "every address, what it takes and what it answers"),
    ("/v1/openapi.json", "openapi.json", "the same for programs: generate a client from it"),
    ("/v1/rulesets", "The games", "which there are, with their settings, as JSON"),
    ("/readyz", "Is it well?", "whether the database and Redis answer"),
)

# README.md has the same, and how to go on: a test compares them.
COMMANDS = """\
api={root}/v1
json='Content-Type: application/json'

# Sign up, with a name that nobody has yet. The answer holds a token, to be sent with every request.
name="Ann $(date +%s)-$$"
token=$(curl -s $api/players -H "$json" -d "{{\\"name\\": \\"$name\\"}}" | grep -o 'wb_[0-9A-Za-z]*')
ask() {{ curl -s -H "Authorization: Bearer $token" -H "$json" "$@"; }}

# Open a game, and see what you may do: as a list, as a JSON Schema, and how it is written.
seats='[{{"kind": "me"}}, {{"kind": "bot"}}, {{"kind": "bot"}}]'
game=$api/games/$(ask $api/games -d "{{\\"ruleset\\": \\"airlines-europe\\", \\"seats\\": $seats}}" | cut -d'"' -f6)
ask $game/options
"""

PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill</title>
<style>{style}</style>
<main>
<h1>Waybill</h1>
<p>A referee for board games played by post. Players and programs send their moves; it checks them against the rules,
keeps secrets secret, and can replay and prove every game that it ran.</p>
<p>Learn a game: {rules}.</p>
<ul>
{links}
</ul>
<h2>The first moves, from a terminal</h2>
<pre tabindex="0"><code>{commands}</code></pre>
<p>README.md goes on from here. <code>./waybill play</code> plays at the terminal, without a service.</p>
</main>
</html>
"""


@bp.get("/")
def front_page() -> Response:
    """What this is, for a person who opens the address in a browser."""
    root = f"{request.scheme}://{request.environ.get('HTTP_HOST', 'localhost')}"
    links = "\n".join(f'<li><a href="{path}">{name}</a> <span>{text}</span></li>' for path, name, text in LINKS)
    rules = ", ".join(
        f'<a href="/v1/rulesets/{key}/rules">{escape(game.name)}</a>' for key, game in sorted(all_games().items())
    )
    page = PAGE.format(style=STYLE, rules=rules, links=links, commands=escape(COMMANDS.format(root=root), quote=False))
    return Response(page, content_type="text/html; charset=utf-8")
