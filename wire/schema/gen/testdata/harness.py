"""Does what harness.ts does, with the modules in Python."""

import base64
import importlib
import json
import math
import sys
import traceback

import hone_wire as wire


def b64(b):
    return base64.b64encode(b).decode()


def text(s):
    b = s.encode("utf-8", "surrogateescape")
    try:
        return b.decode()
    except UnicodeDecodeError:
        return {"base64": b64(b)}


def integer(v):
    return v if abs(v) < 1 << 53 else str(v)


def bigint(v):
    if abs(v) < 1 << 64:
        return integer(v)
    digits = f"{abs(v):x}"
    return ("-" if v < 0 else "") + "0x" + "0" * (len(digits) % 2) + digits


def floating(v):
    if math.isnan(v):
        return "NaN"
    if math.isinf(v):
        return "Infinity" if v > 0 else "-Infinity"
    return v


def days(year):
    y = year - 1
    return 365 * y + y // 4 - y // 100 + y // 400


def rfc3339(v, zone=True):
    """The date is worked out by hand, as datetime has no year 0."""
    local = v.seconds + v.offset
    day, second = divmod(local + 62135596800, 86400)
    year = day // 366
    while days(year + 1) <= day:
        year += 1
    day -= days(year)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    month = 1
    for length in [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]:
        if day < length:
            break
        day -= length
        month += 1
    s = f"{year:04}-{month:02}-{day + 1:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    if v.nanoseconds:
        s += f".{v.nanoseconds:09}".rstrip("0")
    if v.zone == "utc" or not zone:
        return s + "Z"
    minutes = abs(v.offset) // 60
    s += f"{'-' if v.offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return s + f"[{v.name}]" if v.zone == "named" else s


def time(v, layout):
    formed = not isinstance(text(v.name), dict)
    in_text = -62167219200 <= v.seconds + v.offset <= 253402300799 and v.offset % 60 == 0 and abs(v.offset) < 86400
    if layout and v.zone == "named" and formed:
        return rfc3339(v, zone=False) + f"[{v.name}]"
    if in_text and formed and (not layout or v.zone == "utc"):
        return rfc3339(v)
    out = {"seconds": integer(v.seconds), "nanoseconds": v.nanoseconds}
    if v.zone != "utc" and not layout:
        out["offset"] = v.offset
    if v.zone == "named":
        out["name"] = text(v.name)
    return out


def names(fields):
    present = [f.name for f in fields if f.removed is None]
    return ["#" + str(i) if f.name == "" or f.name[0] == "#" or present.count(f.name) > 1 else f.name for i, f in enumerate(fields)]


def resolve(c):
    return resolve(c.to()) if isinstance(c, wire.Lazy) else c


def present(elem, v):
    c = resolve(elem)
    if isinstance(c, wire.SomeCodec):
        return {"some": show(c.elem, v.value)}
    if isinstance(c, (wire.Optional, wire.RawCodec, wire.Skip)) or isinstance(c, wire.Union) and c.tag == "uvarint":
        return {"some": show(c, v)}
    return show(c, v)


def show(codec, v):
    c = resolve(codec)
    if isinstance(c, wire.Bool):
        return v
    if isinstance(c, wire.Int):
        return integer(v)
    if isinstance(c, wire.BigInt):
        return bigint(v)
    if isinstance(c, wire.Float):
        return floating(v)
    if isinstance(c, wire.Complex):
        return [floating(v.real), floating(v.imag)]
    if isinstance(c, wire.Text):
        return text(v)
    if isinstance(c, wire.Bytes):
        return b64(v)
    if isinstance(c, wire.Skip):
        return None
    if isinstance(c, wire.TimeCodec):
        return time(v, False)
    if isinstance(c, wire.LayoutTime):
        return time(v, True)
    if isinstance(c, (wire.List, wire.Array)):
        return [show(c.elem, one) for one in v]
    if isinstance(c, (wire.Map, wire.Pairs)):
        entries = list(v.items()) if isinstance(v, dict) else v
        object_ = isinstance(resolve(c.keys), (wire.Bool, wire.Int, wire.Text))
        if not object_ or any(isinstance(k, str) and isinstance(text(k), dict) for k, _ in entries):
            return [[show(c.keys, k), show(c.elem, e)] for k, e in entries]
        return {str(k).lower() if isinstance(k, bool) else str(k): show(c.elem, e) for k, e in entries}
    if isinstance(c, wire.Optional):
        return None if v is None else present(c.elem, v)
    if isinstance(c, wire.RawCodec):
        return None if not v.data else present(c.elem, v.decode())
    if isinstance(c, wire.Union):
        if v is None:
            return None
        follows = c.named(v)[2]
        return v.case if follows is None else {v.case: show(follows, v.value)}
    if isinstance(c, wire.Struct):
        out = {name: show(f.codec, getattr(v, f.attribute)) for name, f in zip(names(c.fields), c.fields) if f.attribute is not None}
        if c.unknown is not None and getattr(v, c.unknown[1]):
            out[c.unknown[0]] = b64(getattr(v, c.unknown[1]))
        return out
    raise TypeError(c)


def main():
    out = []
    for one in json.load(sys.stdin):
        module = importlib.import_module(one["module"])
        named = getattr(module, one["root"])
        root = getattr(module, one["root"] + "_codec", None) or named.codec
        try:
            v = module.decode(bytes.fromhex(one["bytes"]))
            back = module.encode(v).hex()
            try:
                shown = json.dumps(show(root, v))
            except Exception as error:
                shown = json.dumps(f"no JSON: {error!r}")
            out.append({"bytes": back, "json": shown})
        except wire.WireError as error:
            out.append({"reason": error.reason, "offset": error.offset, "path": error.path, "message": str(error)})
        except Exception:
            out.append({"reason": traceback.format_exc()})
    json.dump(out, sys.stdout)


main()
