#!/usr/bin/env python3
"""Verifies proof files of Kiebitz. This one file needs Python 3.8 or later and the package `cryptography`, and nothing else.

    python3 kiebitz-verify.py FILE... --key VKEY [--key VKEY...] [--lang de]

FILE is a proof file. VKEY is a verifier key of the log (its name is the origin of the checkpoint), of what it tells (the name ends with
/told), or of a witness: who is named has to have signed. Take keys from elsewhere than from the file.
Exit code: 0 all of it is proven, 1 not so, 2 a file cannot be read.

Files of one game are held against each other, too: whether they are of the same record. `kiebitz verify` calls this file, and judges
records by the rules as well.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SAYS = {
    "en": {
        "proven": "{file}: proven. {view} of {stream}, positions {first} to {last}, in the log {origin} of {size} entries; mark {mark}",
        "witness": "    witnessed by {name} at {moment}",
        "unwitnessed": "    no witness was named: whether the log shows the same to everybody was not checked",
        "stood": "    it stood there already when the log had {stood} entries",
        "not": "{file}: NOT PROVEN. {why}",
        "limits": "No file can show that nothing came after it, that nothing was done to it before its log began, that it is true, "
        "or that a view was honest before its record opens.",
        "form": "It is not of the form of a proof file ({what}).",
        "signed": "{what} has not signed it, or another text.",
        "twice": "{what} signed twice.",
        "tree": "The events do not lie in the log that was signed.",
        "told": "The receipt is of something else.",
        "earlier": "The earlier checkpoint is of another history.",
        "fair": "    {decks} deals follow from their secrets and chances, all from one order of the cards; it begins with {cards}",
        "kept": "    {kept} secrets of decks are not revealed there",
        "same": "{file}, {other}: up to position {last} both are of the same record",
        "other": "{file}, {other}: NOT THE SAME RECORD. Up to position {last} the second has another one, or not all of it.",
        "deck": "The record is proven, but what was given for the deck at position {what} does not come to what was dealt.",
    },
    "de": {
        "proven": "{file}: bewiesen. {view} von {stream}, Positionen {first} bis {last}, im Protokoll {origin} mit {size} Einträgen; "
        "Prüfmarke {mark}",
        "witness": "    bezeugt von {name} am {moment}",
        "unwitnessed": "    kein Zeuge wurde genannt: ob das Protokoll allen dasselbe zeigt, wurde nicht geprüft",
        "stood": "    sie stand dort schon, als das Protokoll {stood} Einträge hatte",
        "not": "{file}: NICHT BEWIESEN. {why}",
        "limits": "Keine Datei kann zeigen, dass danach nichts kam, dass nichts an ihr geschah, bevor ihr Protokoll begann, dass sie "
        "stimmt, oder dass eine Ansicht ehrlich war, bevor ihre Mitschrift offen ist.",
        "form": "Sie hat nicht die Form eines Nachweises ({what}).",
        "signed": "{what} hat sie nicht unterschrieben, oder einen anderen Text.",
        "twice": "{what} hat zweimal unterschrieben.",
        "tree": "Die Ereignisse liegen nicht im unterschriebenen Protokoll.",
        "told": "Die Quittung gehört zu etwas anderem.",
        "earlier": "Der frühere Prüfpunkt gehört zu einer anderen Vergangenheit.",
        "fair": "    {decks} Decks folgen aus ihren Geheimnissen und Zufällen, alle aus einer Reihenfolge; sie beginnt mit {cards}",
        "kept": "    {kept} Geheimnisse von Decks sind darin nicht offengelegt",
        "same": "{file}, {other}: bis Position {last} gehören beide zur selben Mitschrift",
        "other": "{file}, {other}: NICHT DIESELBE MITSCHRIFT. Bis Position {last} hat die zweite eine andere, oder nicht alles davon.",
        "deck": "Die Mitschrift ist bewiesen, aber was für das Deck an Position {what} gegeben wurde, ergibt nicht, was gegeben wurde.",
    },
}
NEEDED = {"format", "checkpoint", "stream", "view", "first", "prev", "events", "leaf", "path"}
MOST = 1 << 53


class VerificationError(Exception):
    def __init__(self, why, what=""):
        super().__init__(why, what)
        self.why, self.what = why, what


def need(true, why, what=""):
    if not true:
        raise VerificationError(why, what)


def H(*parts):  # noqa: N802
    return hashlib.sha256(b"".join(parts)).digest()


def raw(text, length=None):
    """Return the bytes of base64 in its one spelling."""
    need(isinstance(text, str), "form", "base64")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise VerificationError("form", "base64") from None
    need(base64.b64encode(data).decode() == text and length in (None, len(data)), "form", "base64")
    return data


def b64(data):
    return base64.b64encode(data).decode()


def once(pairs):
    need(len(dict(pairs)) == len(pairs), "form", "a key twice")
    return dict(pairs)


def read_key(text):
    name, _, rest = text.partition("+")
    material = raw(rest.partition("+")[2], 33)
    ident = H(name.encode(), b"\n", material)[:4]
    need(material[0] in (1, 4) and re.fullmatch(r"[^\s+]+", name) and text == f"{name}+{ident.hex()}+{b64(material)}", "form", "key")
    return name, ident, material[0], material[1:]


def open_note(note, keys):
    """Return the text of a note, and the keys that signed it, each with the moment of a witness or 0."""
    need(isinstance(note, str) and not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", note), "form", "note")
    text, parting, below = note.rpartition("\n\n")
    need(text and parting and below.endswith("\n"), "form", "note")
    text, signed = text + "\n", {}
    lines = below[:-1].split("\n")
    need(len(lines) <= 64, "form", "note")
    for line in lines:
        read = re.fullmatch(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)", line)
        if not read:
            raise VerificationError("form", "note")
        signature = raw(read[2])
        for key in keys:
            if (key[0], key[1]) == (read[1], signature[:4]):
                need(key not in signed, "twice", key[0])
                signed[key] = verify_signature(key, text, signature[4:])
    return text, signed


def verify_signature(key, text, signature):
    name, _, kind, public = key
    moment = int.from_bytes(signature[:8], "big") if kind == 4 else 0
    if kind == 4:
        text, signature = f"cosignature/v1\ntime {moment}\n{text}", signature[8:]
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise VerificationError("signed", name) from None
    return moment


def checkpoint(note, keys):
    text, signed = open_note(note, keys)
    read = re.fullmatch(r"([^\n]+)\n(0|[1-9][0-9]{0,17})\n([^\n]+)\n", text)
    if not read:
        raise VerificationError("form", "checkpoint")
    need(any(key[0] == read[1] and key[2] == 1 for key in signed), "signed", read[1])
    return read[1], int(read[2]), raw(read[3], 32), signed


def inside(leaf, at, size, path):
    """Return the root that a leaf and its path lead to; None where the path is too short or too long."""
    need(at < size, "tree")
    last = size - 1
    for beside in path:
        need(last > 0, "tree")
        if at % 2 or at == last:
            leaf = H(b"\1", beside, leaf)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            leaf = H(b"\1", leaf, beside)
        at, last = at // 2, last // 2
    return leaf if last == 0 else None


def extends(old, new, path, old_root):
    """Return both roots that a consistency path leads to."""
    need(0 < old <= new, "earlier")
    if old == new:
        return None if path else (old_root, old_root)
    nodes = path if old & (old - 1) else [old_root, *path]
    at, last = old - 1, new - 1
    while at % 2:
        at, last = at // 2, last // 2
    need(nodes, "earlier")
    first = second = nodes[0]
    for beside in nodes[1:]:
        need(last > 0, "earlier")
        if at % 2 or at == last:
            first, second = H(b"\1", beside, first), H(b"\1", beside, second)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            second = H(b"\1", second, beside)
        at, last = at // 2, last // 2
    return (first, second) if last == 0 else None


def hashes(path):
    need(isinstance(path, list), "form", "path")
    return [raw(one, 32) for one in path]


def check_number(value, least):
    need(type(value) is int and least <= value < MOST, "form", "number")
    return value


def read_file(data):
    try:
        file = json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise VerificationError("form", "JSON") from None
    need(isinstance(file, dict), "form", "JSON")
    told = file.get("view") != "full"
    wanted = NEEDED | ({"edition", "receipt"} if told else set())
    need(wanted <= set(file) <= wanted | {"earlier"} and file["format"] == "kiebitz-proof/1", "form", "keys")
    need(isinstance(file["view"], str) and re.fullmatch(r"full|public|seat:(0|[1-9][0-9]{0,2})", file["view"]), "form", "view")
    need(isinstance(file["events"], list) and file["events"], "form", "events")
    need(check_number(file["first"], 1) == 1 or not told, "form", "first")
    need(raw(file["prev"], 32) == bytes(32) or file["first"] > 1, "form", "prev")
    return file


def stream_of(text):
    try:
        stream = uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        raise VerificationError("form", "stream") from None
    need(str(stream) == text, "form", "stream")
    return stream


def mark_events(file):
    """Return the last mark, and the digest of all shown events."""
    stream, mark, told, full = stream_of(file["stream"]), raw(file["prev"], 32), bytes(32), file["view"] == "full"
    for position, event in enumerate(file["events"], file["first"]):
        need(isinstance(event, dict) and set(event) in ({"name", "bytes", "salt"}, {"name", "bytes", "commitment"}), "form", "event")
        need(isinstance(event["name"], str) and isinstance(event["bytes"], str), "form", "event")
        need("\n" not in event["name"] and len(event["name"]) <= 200, "form", "event")
        need("salt" in event or not full, "form", "salt")
        try:
            head, shown = f"kiebitz-event/1\n{stream}\n{position}\n{event['name']}\n".encode(), event["bytes"].encode()
        except UnicodeEncodeError:
            raise VerificationError("form", "UTF-8") from None
        commitment = H(raw(event["salt"], 16), head, shown) if "salt" in event else raw(event["commitment"], 32)
        mark = H(b"\0\1", stream.bytes, position.to_bytes(8, "big"), mark, commitment)
        told = H(told, H(b"\1" if "salt" in event else b"\2", head, shown))
    return mark, told


def list_times(signed):
    """Return the moments by the names of witnesses."""
    return {key[0]: signed[key] for key in signed if key[2] == 4}


def since(file, keys, origin, size, root):
    """Return the size and the root of the earlier checkpoint, and its witnesses."""
    if "earlier" not in file:
        return None, root, {}
    earlier = file["earlier"]
    need(isinstance(earlier, dict) and set(earlier) == {"checkpoint", "path"}, "form", "earlier")
    before, then, old_root, signed = checkpoint(earlier["checkpoint"], keys)
    need(before == origin and extends(then, size, hashes(earlier["path"]), old_root) == (old_root, root), "earlier")
    return then, old_root, list_times(signed)


def verify(data, keys):
    """Return what the file proves, as a dict; else raise No."""
    file = read_file(data)
    origin, size, root, signed = checkpoint(file["checkpoint"], keys)
    for key in keys:
        need(key[2] != 4 or key in signed, "signed", key[0])
    mark, told = mark_events(file)
    need(inside(mark, check_number(file["leaf"], 0), size, hashes(file["path"])) == root, "tree")
    last = file["first"] + len(file["events"]) - 1
    if "receipt" in file:
        text, by = open_note(file["receipt"], keys)
        need(any(key[0] == origin + "/told" and key[2] == 1 for key in by), "signed", origin + "/told")
        nonce = raw(text.rstrip("\n").rpartition("\n")[2], 16)
        lines = ["kiebitz-told/1", origin, file["stream"], file["view"], str(check_number(file["edition"], 1)), str(last)]
        need(text == "".join(line + "\n" for line in [*lines, b64(mark), b64(told), b64(nonce)]), "told")
    about = {"stream": file["stream"], "view": file["view"], "first": file["first"], "last": last, "mark": mark.hex()}
    then, old_root, by = since(file, keys, origin, size, root)
    stood = then is not None and then > file["leaf"]
    roots = {then or size: old_root.hex(), size: root.hex()}
    log = {"origin": origin, "size": size, "roots": roots, "witnesses": list_times(signed), "earlier": then}
    return {**about, **log, "stood": then if stood else None, "since": by if stood else {}}


DECK = b"kiebitz-deck/1\n"


def decks(file):
    """Check fair decks in a record that is proven: return how many follow from their secrets and chances, how many secrets are not
    revealed, and the order of the cards before they were shuffled, which has to be one for all hands. Only the rulebook knows that order.
    """
    stream, tries, now, orders = stream_of(file["stream"]), {}, {}, []
    for position, event in enumerate(file["events"] if (file["view"], file["first"]) == ("full", 1) else [], 1):
        kind = event["name"]
        if not (kind.startswith("shuffle.") or kind == "hand.dealt/1"):
            continue
        try:
            body = json.loads(event["bytes"])["body"]
            if kind == "shuffle.committed/1":
                now = tries[position] = {**body, "joined": {}, "open": {}, "typed": None, "deck": None, "told": False}
            elif kind == "shuffle.revealed/1":
                orders += reveal_deck(tries[body["position"]], body, stream)
            elif kind != "hand.dealt/1" or body.get("how") == "fair":
                need(fits(kind, body, now), "deck", position)
        except (AttributeError, KeyError, TypeError, ValueError, StopIteration, RecursionError):
            raise VerificationError("deck", position) from None
    need(all(order == orders[0] for order in orders), "deck", max(tries, default=0))
    return len(orders), sum(not one["told"] for one in tries.values()), orders[0] if orders else []


def fits(kind, body, now):
    """Keep the given value. Return whether it may be given now."""
    waits = set(now["joined"]) - set(now["open"])
    if kind == "shuffle.joined/1":
        fit = not now["open"] and body["seat"] not in now["joined"]
        now["joined"][body["seat"]] = body["commitment"]
    elif kind == "shuffle.opened/1":
        now["open"][body["seat"]] = chance = bytes.fromhex(body["chance"])
        fit = H(b"\2", DECK, f"seat:{body['seat']}\n".encode(), chance).hex() == now["joined"][body["seat"]]
    elif kind == "shuffle.typed/1":
        now["typed"] = body["dice"].encode()
        fit = bool(re.fullmatch("[1-6](?: [1-6])*", body["dice"])) and len(body["dice"].split(" ")) == now["dice"] and not waits
    else:
        now["deck"] = next(effect[4][::-1] for effect in body["effects"] if effect[:2] == ["zone", "stock"])
        fit = bool(now["typed"] if now["dice"] else now["joined"]) and not waits
    return fit


def reveal_deck(one, body, stream):
    """Return the order of the cards from which the deck was shuffled; none where nothing was dealt."""
    secret = bytes.fromhex(body["secret"])
    need(H(b"\1", DECK, secret).hex() == one["commitment"], "deck", body["position"])
    one["told"] = True
    return [reverse_shuffle(seed_of(secret, stream, body["position"], one), one["deck"])] if one["deck"] is not None else []


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def seed_of(secret, stream, position, given):
    chances = [(f"seat:{seat}".encode(), given["open"][seat]) for seat in given["joined"]]
    chances += [(b"typed", given["typed"])] if given["typed"] else []
    parts = [part for chance in chances for part in chance]
    told = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    return mac(secret, DECK + stream.bytes + position.to_bytes(8, "big") + len(chances).to_bytes(2, "big") + told)


def reverse_shuffle(seed, deck):
    """Return the cards as they lay before: the same swaps, from the last to the first."""
    swaps, made, block = [], b"", 0
    for last in range(len(deck) - 1, 0, -1):
        word = 65536
        while word >= 65536 - 65536 % (last + 1):
            if not made:
                made, block = mac(seed, block.to_bytes(4, "big")), block + 1
            word, made = int.from_bytes(made[:2], "big"), made[2:]
        swaps.append((last, word % (last + 1)))
    cards = list(deck)
    for one, other in reversed(swaps):
        cards[one], cards[other] = cards[other], cards[one]
    return cards


def judge(data, keys):
    """Return the file as it was read, and what it and its decks prove, as a dict; else raise No."""
    proven, file = verify(data, keys), read_file(data)
    followed, kept, order = decks(file)
    return file, {**proven, "decks": followed, "kept": kept, "cards": " ".join(map(str, order[:8]))}


def same_record(early, late):
    """Return whether a file that begins with its game has the record of another one, as far as that goes. Both are proven."""
    last = early["first"] + len(early["events"]) - 1
    enough = late["first"] == 1 and len(late["events"]) >= last
    return enough and mark_events({**late, "events": late["events"][:last]})[0] == mark_events(early)[0]


def pairs(proven):
    """Return, of names, files and what they prove, those of one game: each view with each record, and with the next longer view."""
    views, records = ([one for one in proven if (one[1]["view"] == "full") is full] for full in (False, True))
    views.sort(key=lambda one: (one[2]["stream"], one[2]["last"]))
    both = [(view, record) for view in views for record in records] + list(zip(views, views[1:]))
    return [(early, late) for early, late in both if early[2]["stream"] == late[2]["stream"]]


def utc(moment):
    """Return seconds after 1970 in the form of RFC 3339; a moment outside the calendar as the number it is."""
    try:
        return datetime.fromtimestamp(moment, timezone.utc).isoformat().replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return str(moment)


def in_words(name, proven, says):
    """Return what a file proves, line by line."""
    witnessed = [[says["witness"].format(name=one, moment=utc(at)) for one, at in proven[by].items()] for by in ("witnesses", "since")]
    lines = [says["proven"].format(file=name, **proven), *(witnessed[0] or [says["unwitnessed"]])]
    if proven["stood"]:
        lines += [says["stood"].format(**proven), *witnessed[1]]
    return lines + [says[line].format(**proven) for line, number in (("fair", "decks"), ("kept", "kept")) if proven[number]]


def print_proof(name, keys, says):
    """Print what a file proves, or why it does not. Return the exit code, and the file with what it proves."""
    try:
        file, proven = judge(Path(name).read_bytes(), keys)
    except OSError as error:
        print(says["not"].format(file=name, why=error.strerror))
        return 2, None
    except VerificationError as no:
        print(says["not"].format(file=name, why=says[no.why].format(what=no.what)))
        return 1, None
    print("\n".join(in_words(name, proven, says)))
    return 0, (name, file, proven)


def compare_records(early, late, says):
    """Print whether two files are of the same record. Return the exit code."""
    same = same_record(early[1], late[1])
    print(says["same" if same else "other"].format(file=early[0], other=late[0], last=early[2]["last"]))
    return int(not same)


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    asked.add_argument("files", nargs="+", metavar="FILE")
    asked.add_argument("--key", action="append", required=True, metavar="VKEY")
    asked.add_argument("--lang", choices=list(SAYS), default="en")
    given = asked.parse_args()
    says = SAYS[given.lang]
    try:
        keys = [read_key(key) for key in given.key]
    except VerificationError as no:
        sys.exit(says[no.why].format(what=no.what))
    found = [print_proof(name, keys, says) for name in given.files]
    codes = [code for code, _ in found] + [compare_records(early, late, says) for early, late in pairs([one for _, one in found if one])]
    print(says["limits"])
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
