"""Messages to browsers: encrypted and signed as the standards say."""

from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag

from runtime.config import ConfigError, read_config
from runtime.web_push import (
    MOST_CONTENT,
    Device,
    Vapid,
    base64url,
    encrypted,
    from_base64url,
    is_point,
    new_key,
    private_key,
)
from tests.push import CONTACT, VAPID_KEY, Browser, point, signed_claims

# RFC 8291, appendix A.
WATERMELON = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
ENDPOINT = "https://push.example.org/send/3f9c2a"


def device(browser: Browser) -> Device:
    return Device(browser.endpoint, point(browser.key), browser.auth)


def test_the_tests_browser_reads_the_example_of_the_standard() -> None:
    key, auth = from_base64url("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), from_base64url("BTBZMqHH6r4Tts7J_aSIgg")
    browser = Browser(ENDPOINT, private_key(key), auth)
    assert browser.decrypted(from_base64url(WATERMELON)) == b"When I grow up, I want to be a watermelon"


def test_only_the_browser_itself_can_read_a_message() -> None:
    browser, other = Browser(ENDPOINT), Browser(ENDPOINT)
    body = encrypted("Zürich–Åre".encode(), device(browser))
    assert browser.decrypted(body).decode() == "Zürich–Åre"
    assert encrypted(b"twice", device(browser)) != encrypted(b"twice", device(browser))
    with pytest.raises(InvalidTag):
        other.decrypted(body)
    with pytest.raises(InvalidTag):
        Browser(ENDPOINT, browser.key).decrypted(body)


def test_longest_message_fits_into_what_push_services_take() -> None:
    browser = Browser(ENDPOINT)
    body = encrypted(b"x" * MOST_CONTENT, device(browser))
    assert len(body) == 4096
    assert browser.decrypted(body) == b"x" * MOST_CONTENT
    with pytest.raises(ValueError, match="at most 3993 bytes, not 3994"):
        encrypted(b"x" * (MOST_CONTENT + 1), device(browser))


def test_signature_names_the_push_service_and_whom_to_ask_and_cannot_be_altered() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    header = Vapid(VAPID_KEY, CONTACT).authorization("https://push.example.org:8443/send?x=1", now)
    claims = signed_claims(header)
    assert claims == {"aud": "https://push.example.org:8443", "exp": int(now.timestamp()) + 43200, "sub": CONTACT}
    with pytest.raises(InvalidSignature):
        signed_claims(header.replace("k=" + Vapid(VAPID_KEY, "").public_key, "k=" + Vapid(b"\3" * 32, "").public_key))


def test_key_is_read_from_the_environment_and_a_bad_one_is_named_without_showing_it() -> None:
    key = new_key()
    assert Vapid(read_config({"WAYBILL_VAPID_KEY": key}).vapid_key, CONTACT).public_key.startswith("B")
    for bad in ("secret!", base64url(b"\0" * 32), base64url(b"\xff" * 32), base64url(b"\1" * 31)):
        with pytest.raises(ConfigError, match="WAYBILL_VAPID_KEY must be a key as") as error:
            read_config({"WAYBILL_VAPID_KEY": bad})
        assert bad not in str(error.value)
    with pytest.raises(ConfigError, match="begins with mailto: or https://"):
        read_config({"WAYBILL_VAPID_CONTACT": "keeper@example.org"})


def test_compressed_and_invented_points_are_no_keys() -> None:
    found = point(Browser(ENDPOINT).key)
    assert is_point(found)
    assert not is_point(found[:-1])
    assert not is_point(b"\4" + b"\1" * 64)
    assert not is_point(b"\2" + found[1:33])
