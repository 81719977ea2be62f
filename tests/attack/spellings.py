"""Forgeries of the text: numbers spelled otherwise, JSON that is none, bytes that are no UTF-8."""

import json
import re
from fractions import Fraction

from tests.attack.places import at, changed, is_integer, numbers

MARK = "@@"
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
DEEP = 100_000


def _rational_spellings(text, rng):
    number = Fraction(text)
    p, q = number.as_integer_ratio()
    factor = rng.randint(2, 9)
    yield f"{p * factor}/{q * factor}"
    yield f"{p}/{q}" if q == 1 else f"{-p}/-{q}"
    yield f"-{text}" if not number else f"0{text}"
    yield f"+{text}"
    yield f" {text}"
    yield f"{text} "
    yield text.replace("/", " / ") if "/" in text else f"{text}.0"
    yield text.translate(rng.choice([ARABIC, FULL_WIDTH]))
    yield text.replace("/", "\u2044") if "/" in text else f"{text}/1"
    yield text.replace("-", "\u2212") if "-" in text else f"{text}e0"
    yield "_".join(text) if len(text) > 1 else f"{text}_"
    yield f"{float(number)!r}"
    yield f"{p}/0"
    yield "-0"
    yield "9" * 100_000
    yield f"{p}/" + "1" + "0" * 99_999
    yield "1e4000000"
    yield f"{p}.{'0' * 99_999}"
    yield rng.choice(["nan", "inf", "-inf", "1/2/3", "", "/", "1//2", "0x10", "²", "½", "Ⅷ"])
    yield text + rng.choice(["\n", "\0", "\r", "\t", "\u00a0", "\ufeff", "\u0660"])


def _integer_spellings(number, rng):
    yield f"{number}.0"
    yield f"{number}e0"
    yield f"0{number}"
    yield f"+{number}"
    yield "-0"
    yield "NaN"
    yield "Infinity"
    yield "-Infinity"
    yield "9" * 100_000
    yield "-" + "9" * 100_000
    yield str(number).translate(ARABIC)
    yield f"0x{number:x}" if number >= 0 else "0x1"
    yield f'"{number}"'
    yield rng.choice(["true", "false", "null"])
    yield f"{number}/1"
    yield f"1{'0' * 3_999}"


def spelling(rng, content, donor):
    """One number in another spelling, most of the same value."""
    path = rng.choice(numbers(content))
    old = at(content, path)
    if is_integer(old):
        text = json.dumps(changed(content, path, MARK))
        return text.replace(f'"{MARK}"', rng.choice(list(_integer_spellings(old, rng))))
    if rng.random() < 0.1:  # a JSON number where text must stand
        text = json.dumps(changed(content, path, MARK))
        raw = [str(float(Fraction(old))), "NaN", "Infinity", "-Infinity", "1E5", "9" * 100_000]
        return text.replace(f'"{MARK}"', rng.choice(raw))
    return changed(content, path, rng.choice(list(_rational_spellings(old, rng))))


def doubled_key(rng, content, donor):
    """A key that stands twice in one object, with the same value or another."""
    text = json.dumps(content)
    match = rng.choice([m for m in re.finditer(r'"(\w+)": ', text) if m[1] != "value"])
    value = rng.choice(['"0"', "1", "[]", "{}", "null", json.dumps(content["kind"])])
    name = match[1] if rng.random() < 0.7 else "".join(f"\\u{ord(c):04x}" for c in match[1])
    return f'{text[: match.start()]}"{name}": {value}, {text[match.start() :]}'


def truncated(rng, content, donor):
    """A part of the file, or more than the file."""
    text = json.dumps(content)
    cut = rng.randrange(len(text))
    return rng.choice([
        text[:cut], text[cut + 1 :], text + text, text + "}", text[:-1] + ",}", text + "\0",
        text[:cut] + text[cut + 1 :], f"[{text}]", text + "// proved", json.dumps(text),
        text.replace(",", ",,", 1), text.replace('"', "'"), text + "NaN", "",
    ])  # fmt: skip


def deep(rng, content, donor):
    """Brackets nested a hundred thousand deep somewhere in the file."""
    path = rng.choice([*numbers(content), ("provenance",), ("claim",), ("witness",), ("kind",)])
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}"), ("[[1],", "]"), ('{"a":[', "]}")])
    depth = rng.choice([500, 990, 5_000, DEEP])
    inner = "1" * (opening[0] == "{")
    raw = opening * depth + (inner or "1") + closing * rng.choice([depth, depth, depth - 1, 0])
    return json.dumps(changed(content, path, MARK)).replace(f'"{MARK}"', raw)


def raw_bytes(rng, content, donor):
    """A byte order mark, another encoding, bytes that are no UTF-8, one bit changed."""
    text = json.dumps(content)
    data = text.encode()
    place = rng.randrange(len(data))
    flipped = bytes([data[place] ^ 1 << rng.randrange(8)])
    surrogate = b'"\\ud800":1,'
    return rng.choice([
        b"\xef\xbb\xbf" + data, text.encode("utf-16"), text.encode("utf-32"), b"\xff\xfe" + data,
        data[:place] + flipped + data[place + 1 :], data[:place] + b"\xff" + data[place:],
        data[:place] + b"\xc0\xb1" + data[place:], data.replace(b"1", b"\xc0\xb1", 1),
        data.replace(b"{", b"{" + surrogate, 1), data[:place] + b"\0" + data[place:],
        text.encode("utf-7") + b"+", text.encode("cp500"), data + b"\x1a",
    ])  # fmt: skip


SPELLINGS = {
    "number spelled otherwise": spelling,
    "key twice": doubled_key,
    "truncated or trailing": truncated,
    "nested deep": deep,
    "bytes": raw_bytes,
}
