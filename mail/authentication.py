"""Whether our own mail server vouches for a sender (Authentication-Results, RFC 8601).

Anybody can write such a header, and ours stands on top of whatever came with a mail: only the topmost one counts, and
only if it carries the name of our server.
"""

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"\([^()]*\)")
_PROPERTY = re.compile(r"\b(header\.from|header\.d|header\.i)\s*=\s*\"?@?([^\s;\"]+)", re.IGNORECASE)


def vouches(headers: Sequence[str], server: str, sender: str) -> bool:
    """Whether the topmost header is our server's, and says that DMARC holds for the sender's domain, or that the domain
    has signed the mail (DKIM)."""
    if not headers or not server:
        return False
    name, *results = _COMMENT.sub(" ", headers[0]).split(";")
    if name.lower().split()[:1] != [server.lower()]:
        return False
    domain = sender.rpartition("@")[2].lower()
    return bool(domain) and any(_is_for(result.strip().lower(), domain) for result in results)


def _is_for(result: str, domain: str) -> bool:
    method, _, rest = result.partition("=")
    if rest.split()[:1] != ["pass"]:
        return False
    said = {(name, value.rpartition("@")[2]) for name, value in _PROPERTY.findall(rest)}
    match method.strip():
        case "dmarc":
            return ("header.from", domain) in said
        case "dkim":
            return ("header.d", domain) in said or ("header.i", domain) in said
    return False
