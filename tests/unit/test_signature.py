"""Content hashes and detached signatures: what is signed, and what every fault looks like."""

import hashlib
import json
import os
import shutil
import stat
import subprocess

import pytest

from verify.canonical_form import encode
from verify.certify import certify_channel
from verify.cli import run
from verify.kernel.errors import InputError

pytest.importorskip("cryptography", reason="signatures come with the extra 'sign'")

from verify.signature import (
    PREFIX,
    new_key_files,
    read_private_key,
    read_public_key,
    sign,
    signature_fault,
)

ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
GOOD = encode(certify_channel(ROWS, 3).certificate)
FALSE = encode(certify_channel(ROWS, 2).certificate)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a certificate, a pair of keys, and the signature."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.json").write_bytes(GOOD)
    (tmp_path / "false.json").write_bytes(FALSE)
    (tmp_path / "bad.json").write_bytes(b"{}")
    assert run(["keygen", "key.pem", "--quiet"]) == 0
    assert run(["sign", "c.json", "--private-key", "key.pem", "--quiet"]) == 0
    return tmp_path


def checked(capsys, *words: str) -> tuple[int, list[dict[str, object]]]:
    capsys.readouterr()
    code = run(["check", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)["results"]


def refused(capsys, *words: str) -> str:
    """The line with which a command line of exit code 2 ends."""
    capsys.readouterr()
    assert run(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_the_test_vector_of_the_standard() -> None:
    """RFC 8032, section 7.1, TEST 1, has this key; our prefix is part of what is signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    key = Ed25519PrivateKey.from_private_bytes(seed)
    assert key.public_key().public_bytes_raw().hex() == public
    assert sign(b"content", key) == key.sign(b"exactdp certificate signature, version 1\ncontent")
    assert sign(b"content", key) != key.sign(b"content")
    assert signature_fault(b"content", key.sign(b"content"), key.public_key()) is not None


def test_a_signature_is_of_these_bytes_and_this_key() -> None:
    private, public = new_key_files()
    key, other = read_private_key(private, "key"), read_public_key(public, "pub")
    signature = sign(GOOD, key)
    assert signature == sign(GOOD, key)
    assert signature_fault(GOOD, signature, other) is None
    for place in range(0, 64, 7):
        changed = bytearray(signature)
        changed[place] ^= 1
        assert "not one of this file" in str(signature_fault(GOOD, bytes(changed), other))
    assert signature_fault(GOOD + b"\n", signature, other) is not None
    assert signature_fault(GOOD, signature[:-1], other) == "the signature has 63 bytes, not 64"
    assert signature_fault(GOOD, signature, read_public_key(new_key_files()[1], "x")) is not None


def test_check_with_a_valid_signature(folder, capsys) -> None:
    code, (result,) = checked(capsys, "--public-key", "key.pem.pub", "c.json")
    assert code == 0
    assert result == {
        "file": "c.json",
        "sha256": hashlib.sha256(GOOD).hexdigest(),
        "canonical": True,
        "signature": "valid",
        "verdict": "ACCEPTED",
        "reason": result["reason"],
    }
    (folder / "c.json.sig").rename(folder / "elsewhere")
    words = ("--public-key", "key.pem.pub", "--signature", "elsewhere", "c.json")
    assert checked(capsys, *words)[0] == 0


@pytest.mark.parametrize(
    ("fault", "kind", "reason"),
    [
        ("rm c.json.sig", "missing", "does not exist"),
        (": > c.json.sig", "invalid", "is empty"),
        ("printf x >> c.json.sig", "invalid", "has 65 bytes"),
        ("head -c 64 /dev/zero > c.json.sig", "invalid", "not one of this file by this key"),
        ("rm c.json.sig; mkdir c.json.sig", "invalid", "is a directory"),
        ("echo >> c.json", "invalid", "not one of this file by this key"),
        ("cp bad.json c.json", "invalid", "not one of this file by this key"),
    ],
)
def test_check_with_a_fault(folder, capsys, fault, kind, reason) -> None:
    subprocess.run(fault, shell=True, check=True, cwd=folder)
    code, (result,) = checked(capsys, "--public-key", "key.pem.pub", "c.json")
    assert code == 1
    assert (result["verdict"], result["signature"]) == ("REJECTED", kind)
    assert reason in str(result["reason"])
    assert run(["check", "--public-key", "key.pem.pub", "c.json"]) == 1
    assert reason.split()[-1] in capsys.readouterr().out


def test_a_foreign_signature(folder, capsys) -> None:
    assert run(["keygen", "other.pem", "--public-key", "other.pub"]) == 0
    assert checked(capsys, "--public-key", "other.pub", "c.json")[0] == 1
    assert run(["sign", "c.json", "--private-key", "other.pem", "--out", "o.sig"]) == 0
    words = ("--public-key", "other.pub", "--signature", "o.sig", "c.json")
    assert checked(capsys, *words)[0] == 0
    assert checked(capsys, "--public-key", "key.pem.pub", *words[2:])[0] == 1


def test_a_signature_replaces_no_proof(folder, capsys) -> None:
    """What is signed is still for the kernel to decide."""
    key = read_private_key((folder / "key.pem").read_bytes(), "key")
    for name, code in (("false.json", 1), ("bad.json", 2)):
        (folder / f"{name}.sig").write_bytes(sign((folder / name).read_bytes(), key))
        found, (result,) = checked(capsys, "--public-key", "key.pem.pub", name)
        assert (found, result["signature"]) == (code, "valid")
    code, results = checked(capsys, "--public-key", "key.pem.pub", "c.json", "false.json")
    assert (code, [r["signature"] for r in results]) == (1, ["valid", "valid"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--public-key", "key.pem", "c.json"], "no PEM file of a public key"),
        (["--public-key", "c.json", "c.json"], "no PEM file of a public key"),
        (["--public-key", "none.pem", "c.json"], "does not exist"),
        (["--public-key", "rsa.pub", "c.json"], "another kind"),
        (["--signature", "c.json.sig", "c.json"], "give --public-key"),
        (["--public-key", "key.pem.pub", "-"], "standard input"),
        (["--public-key", "-", "--signature", "x", "-"], "standard input"),
        (["--public-key", "key.pem.pub", "--signature", "x", "c.json", "c.json"], "one certif"),
    ],
)
def test_check_with_unusable_options(folder, capsys, words, said) -> None:
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    rsa_key = rsa.generate_private_key(65537, 2048).public_key()
    pem = rsa_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "rsa.pub").write_bytes(pem)
    assert said in refused(capsys, "check", *words)


def test_sign_signs_only_what_the_kernel_accepts(folder, capsys) -> None:
    assert run(["sign", "false.json", "--private-key", "key.pem"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "not signed: REJECTED" in err
    assert "bad.json: " in refused(capsys, "sign", "bad.json", "--private-key", "key.pem")
    assert not list(folder.glob("*d.json.sig")) + list(folder.glob("false*.sig"))


def test_sign_says_what_it_did(folder, capsys) -> None:
    capsys.readouterr()
    assert run(["sign", "c.json", "--private-key", "key.pem", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["signature"] == "c.json.sig"
    assert said["sha256"] == hashlib.sha256(GOOD).hexdigest()
    assert run(["sign", "c.json", "--private-key", "key.pem"]) == 0
    assert f"SHA256 (c.json) = {said['sha256']}" in capsys.readouterr().out
    assert "name the signature" in refused(capsys, "sign", "-", "--private-key", "key.pem")
    words = ("sign", "c.json", "--private-key", "key.pem", "--out")
    for out in ("c.json", "key.pem"):
        assert "is the input file" in refused(capsys, *words, out)
    assert (folder / "c.json").read_bytes() == GOOD


def test_keys_are_kept(folder, capsys) -> None:
    key = folder / "key.pem"
    before, public = key.read_bytes(), (folder / "key.pem.pub").read_bytes()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert before.startswith(b"-----BEGIN PRIVATE KEY-----")
    assert public.startswith(b"-----BEGIN PUBLIC KEY-----")
    assert "--force" in refused(capsys, "keygen", "key.pem")
    assert "--force" in refused(capsys, "keygen", "new.pem", "--public-key", "key.pem.pub")
    assert "is the input" in refused(capsys, "keygen", "n.pem", "--public-key", "n.pem")
    assert (key.read_bytes(), (folder / "key.pem.pub").read_bytes()) == (before, public)
    assert not (folder / "new.pem").exists()
    assert run(["keygen", "key.pem", "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["public_key"] == "key.pem.pub"
    assert key.read_bytes() != before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_key_is_private_whatever_the_umask(folder) -> None:
    mask = os.umask(0)
    try:
        assert run(["keygen", "open.pem"]) == 0
    finally:
        os.umask(mask)
    assert stat.S_IMODE((folder / "open.pem").stat().st_mode) == 0o600


def test_a_key_that_appears_in_the_meantime_is_kept(folder, monkeypatch, capsys) -> None:
    def late() -> tuple[bytes, bytes]:
        (folder / "late.pem").write_bytes(b"mine")
        return b"private", b"public"

    monkeypatch.setattr("verify.signature.new_key_files", lambda _: late())
    assert "late.pem: exists" in refused(capsys, "keygen", "late.pem")
    assert (folder / "late.pem").read_bytes() == b"mine"
    assert [p.name for p in folder.iterdir() if "late" in p.name or "tmp" in p.name] == ["late.pem"]


def test_passwords(folder, capsys) -> None:
    (folder / "word").write_text("a pass phrase\nand more\n")
    (folder / "wrong").write_text("another\n")
    (folder / "none").write_text("\nx\n")
    assert run(["keygen", "locked.pem", "--password-file", "word"]) == 0
    assert b"ENCRYPTED" in (folder / "locked.pem").read_bytes()
    words = ("sign", "c.json", "--private-key", "locked.pem")
    assert run([*words, "--password-file", "word", "--quiet"]) == 0
    assert checked(capsys, "--public-key", "locked.pem.pub", "c.json")[0] == 0
    assert "needs --password-file" in refused(capsys, *words)
    assert "password is wrong" in refused(capsys, *words, "--password-file", "wrong")
    assert "first line is empty" in refused(capsys, *words, "--password-file", "none")
    words = ("sign", "c.json", "--private-key", "key.pem", "--password-file", "word")
    assert "leave it out" in refused(capsys, *words)
    words = ("sign", "c.json", "--private-key", "key.pem.pub")
    assert "no PEM file of a private key" in refused(capsys, *words)


def test_without_the_library(folder, capsys, monkeypatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("verify.signature.import_module", missing)
    for words in (
        ["check", "--public-key", "key.pem.pub", "c.json"],
        ["sign", "c.json", "--private-key", "key.pem"],
        ["keygen", "k.pem"],
    ):
        assert "pip install 'exactdp[sign]'" in refused(capsys, *words)
    assert checked(capsys, "c.json")[0] == 0
    with pytest.raises(InputError):
        new_key_files()


def test_hashes_without_keys(folder, capsys) -> None:
    spaced = GOOD.replace(b"\n", b"\n ")
    (folder / "spaced.json").write_bytes(spaced)
    code, results = checked(capsys, "c.json", "spaced.json", "bad.json", "none.json")
    assert code == 2
    assert [r["canonical"] for r in results] == [True, False, None, None]
    contents = (GOOD, spaced, b"{}")
    hashes = [hashlib.sha256(content).hexdigest() for content in contents]
    assert [r["sha256"] for r in results] == [*hashes, None]
    assert {r["signature"] for r in results} == {None}
    assert run(["check", "c.json", "spaced.json"]) == 0
    out, err = capsys.readouterr()
    assert f"SHA256 (c.json) = {hashes[0]}\nSHA256 (spaced.json) = {hashes[1]}" in out
    assert "spaced.json: is not in canonical form" in err


def test_certify_prints_the_hash_of_what_it_wrote(folder, capsys) -> None:
    (folder / "channel.json").write_text(json.dumps({"rows": ROWS}))
    words = ["certify", "channel", "channel.json", "--exp-epsilon", "3"]
    assert run([*words, "--certificate", "new.json", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    digest = hashlib.sha256((folder / "new.json").read_bytes()).hexdigest()
    assert (said["certificate"], said["sha256"]) == ("new.json", digest)
    assert run([*words, "--certificate", "new.json"]) == 0
    line = f"SHA256 (new.json) = {digest}\n"
    assert capsys.readouterr().out.endswith(line)
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check"], input=line, text=True, check=True, cwd=folder)
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sha256"] is None
    assert run([*words[:-1], "2", "--certificate", "no.json", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sha256"] is None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")
def test_openssl_agrees(folder) -> None:
    """Keys and signatures of each program are understood by the other."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)

    (folder / "message").write_bytes(PREFIX + GOOD)
    message = ("-rawin", "-in", "message")
    public = ("-pubin", "-inkey", "key.pem.pub")
    openssl("pkeyutl", "-verify", *public, *message, "-sigfile", "c.json.sig")
    openssl("genpkey", "-algorithm", "ed25519", "-out", "theirs.pem")
    openssl("pkey", "-in", "theirs.pem", "-pubout", "-out", "theirs.pub")
    openssl("pkeyutl", "-sign", "-inkey", "theirs.pem", *message, "-out", "c.json.sig")
    assert run(["check", "--public-key", "theirs.pub", "c.json"]) == 0
    theirs = (folder / "c.json.sig").read_bytes()
    assert run(["sign", "c.json", "--private-key", "theirs.pem"]) == 0
    assert (folder / "c.json.sig").read_bytes() == theirs


def test_only_a_signature_is_replaced_unasked(folder, capsys) -> None:
    words = ("sign", "c.json", "--private-key", "key.pem", "--out")
    (folder / "notes.txt").write_text("kept")
    for place in ("notes.txt", "key.pem.pub", "false.json"):
        before = (folder / place).read_bytes()
        assert f"{place}: is no signature" in refused(capsys, *words, place)
        assert (folder / place).read_bytes() == before
    (folder / "c.json.sig").write_bytes(b"x" * 65)
    assert "c.json.sig: is no signature" in refused(capsys, *words[:4])
    (folder / "empty").touch()
    (folder / "old").write_bytes(b"x" * 64)
    good = sign(GOOD, read_private_key((folder / "key.pem").read_bytes(), "key"))
    for place, *more in (("empty",), ("old",), ("new",), ("notes.txt", "--force")):
        assert run([*words, place, *more, "--quiet"]) == 0
        assert (folder / place).read_bytes() == good


def test_standard_input_is_read_once(folder, capsys) -> None:
    for words in (
        ("check", "-", "c.json", "-"),
        ("check", "-", "-"),
        ("check", "--public-key", "-", "--signature", "c.json.sig", "-"),
        ("check", "--public-key", "key.pem.pub", "--signature", "-", "-"),
        ("sign", "-", "--private-key", "-", "--out", "s"),
        ("sign", "c.json", "--private-key", "-", "--password-file", "-"),
    ):
        assert "standard input holds one thing only" in refused(capsys, *words)
