"""/dev/mail: the mails that lie in the local mailbox, for whoever develops.

They hold everybody's secrets. So the page is there only where no relay is configured, on loopback, for who asks from
this machine without a proxy between, and no page from elsewhere may read it.
"""

import base64
import ipaddress
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from html import escape
from http import HTTPStatus

from flask import Blueprint, Response, current_app, request

from api.mail import NOT_HERE
from api.problems import refuse
from runtime.config import Config
from runtime.post import LocalBox

bp = Blueprint("dev_mail", __name__, url_prefix="/dev/mail")

MOST = 200  # mails in the list
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")
STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem .3rem 0;vertical-align:top}
tr+tr td{border-top:1px solid #8886}
iframe{width:100%;height:70vh;border:1px solid #8888;background:#fff}
pre{white-space:pre-wrap;font-size:14px;border:1px solid #8888;padding:.6rem}
"""
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
{body}
</main>
</html>
"""
LIST = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
INSIDE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"


def box_of(config: Config) -> LocalBox | None:
    """The mailbox to show; None where it must not be shown to anybody."""
    try:
        is_local = config.host == "localhost" or ipaddress.ip_address(config.host).is_loopback
    except ValueError:
        is_local = False
    return LocalBox(config.folder / "mail") if is_local and not config.smtp_url and not config.proxies else None


@bp.get("")
def all_mails() -> Response:
    """The newest mails, and a link to each."""
    found = sorted(_box().by_key().items(), key=lambda pair: (_date(pair[1]), pair[0]), reverse=True)[:MOST]
    rows = "".join(
        f"<tr><td>{escape(str(letter['Date'] or ''))}<td>{escape(str(letter['To']))}"
        f'<td><a href="/dev/mail/{escape(key)}">{escape(str(letter["Subject"]))}</a>'
        for key, letter in found
    )
    table = f"<table><tr><th>Date<th>To<th>Subject{rows}</table>" if rows else "<p>No mail has been sent yet.</p>"
    return _page("Mail", f"<h1>Mail</h1><p>No relay is configured, so mails stay here.</p>{table}")


@bp.get("/<key>")
def one_mail(key: str) -> Response:
    """A mail: its headers, its HTML, its text."""
    letter = _letter(key)
    headers = "".join(
        f"<tr><th>{escape(name)}<td>{escape(str(value))}" for name, value in letter.items() if name != "Content-Type"
    )
    body = letter.get_body(("plain",))
    text = escape(body.get_content()) if body else ""
    return _page(
        str(letter["Subject"]),
        f'<p><a href="/dev/mail">All mails</a></p><table>{headers}</table><h2>HTML</h2>'
        f'<iframe src="/dev/mail/{escape(key)}/html" title="The mail as HTML"></iframe><h2>Text</h2><pre>{text}</pre>',
    )


@bp.get("/<key>/html")
def html_of_mail(key: str) -> Response:
    """The HTML of a mail with its pictures inside, as a mail program would show it."""
    letter = _letter(key)
    body = letter.get_body(("html",))
    html = body.get_content() if body else ""
    for part in letter.walk():
        if cid := part.get("Content-ID"):
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            source = f"data:{part.get_content_type()};base64,{base64.b64encode(data).decode()}"
            html = html.replace(f"cid:{cid.strip('<>')}", source)
    return _answer(html, INSIDE)


def _box() -> LocalBox:
    box: LocalBox | None = current_app.extensions["dev_mail"]
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    is_direct = not any(name in request.headers for name in FORWARDED)
    is_asked_here = request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
    is_asked_here = is_asked_here and request.headers.get("Origin", request.host_url[:-1]) == request.host_url[:-1]
    try:
        is_here = ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        is_here = False
    if box is None or not (is_here and is_direct and is_asked_here) or host.lower() not in LOCAL_NAMES:
        refuse(HTTPStatus.NOT_FOUND, "not-found", NOT_HERE)
    return box


def _answer(html: str, policy: str) -> Response:
    headers = {
        "Content-Security-Policy": policy,
        "Access-Control-Allow-Origin": request.host_url[:-1],  # elsewhere anybody may read what has no token
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    return Response(html, headers=headers, content_type="text/html; charset=utf-8")


def _letter(key: str) -> EmailMessage:
    letter = _box().by_key().get(key)
    if letter is None:
        refuse(
            HTTPStatus.NOT_FOUND,
            "not-found",
            "There is no such mail, or not any more; /dev/mail lists those there are.",
        )
    return letter


def _date(letter: EmailMessage) -> float:
    try:
        return parsedate_to_datetime(str(letter["Date"])).timestamp()
    except (TypeError, ValueError):
        return 0.0


def _page(title: str, body: str) -> Response:
    return _answer(PAGE.format(title=escape(title), style=STYLE, body=body), LIST)
