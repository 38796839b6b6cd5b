"""The codecs of Hone's wire format, which modules made by "hone gen -python" use.

A Codec reads and writes one type. The codecs of simple types are constants such as BOOL, and
classes such as List and Optional make codecs of codecs. The format is described in
docs/wire-format.md of Hone, and this file follows it from top to bottom: building blocks,
simple types, times, lists and maps, one of several, structs.

Bytes may come from anybody. Whatever they are, decode returns a value or raises a
WireError; limits bound its depth and its memory.
"""

from __future__ import annotations

import datetime
import math
import struct as _struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Generic, Iterable, Iterator, Literal, TypeVar

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
N = TypeVar("N", bound=str)

_SENTENCES = {
    "truncated": "the bytes end too early",
    "trailing": "bytes after the end of the value",
    "overflow": "a number or a length that does not fit",
    "nonminimal": "a number that is not in its shortest form",
    "flag": "a byte that must be 0 or 1 is neither",
    "duplicate": "a map key that comes twice",
    "time": "not a time",
    "depth": "nested too deeply",
    "tag": "an id that no case has",
    "unregistered": "an id that no registered type has",
    "number": "not an integer in its shortest form",
    "canonical": "not the canonical form",
    "unsorted": "map keys that are not in order",
    "limit": "more memory than so many bytes may take",
    "value": "a value that this type does not have",
}


class WireError(ValueError):
    """The only error that codecs raise: bytes that cannot be read, or a value that cannot be
    written.

    reason is one of the words above. offset is the place of the fault in the bytes that are read,
    or None if a value is written. path says where the value is within the whole, such as
    .Items[3].Price; "" is the whole.
    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset
        self._steps: list[str] = []

    @property
    def path(self) -> str:
        return "".join(reversed(self._steps))

    def within(self, step: str) -> WireError:
        """Prepends a step to the path. The innermost value is the first caller."""
        self._steps.append(step)
        return self

    def __str__(self) -> str:
        words = [] if self.offset is None else [f"byte {self.offset}"]
        if self._steps:
            words.append(self.path[:256])
        return ": ".join([*words, _SENTENCES[self.reason]])


# Building blocks


class Reader:
    """The input of decode, with a position."""

    __slots__ = ("data", "pos", "end", "canonical", "depth", "memory")

    def __init__(self, data: bytes, canonical: bool, depth: int, memory: int | None) -> None:
        self.data = data
        self.pos = 0
        self.end = len(data)  # the end of the input, or of an evolving struct
        self.canonical = canonical
        self.depth = depth
        self.memory = 65536 + 256 * len(data) if memory is None else memory

    def fault(self, reason: str, offset: int | None = None) -> WireError:
        return WireError(reason, self.pos if offset is None else offset)

    def enter(self) -> None:
        """Counts a level of nesting. The caller adds 1 to depth after the value."""
        if self.depth == 0:
            raise self.fault("depth")
        self.depth -= 1

    def take(self, n: int, size: int) -> None:
        """Counts the memory of n values of size bytes, before it is allocated."""
        self.memory -= n * size
        if self.memory < 0:
            raise self.fault("limit")

    def skip(self, n: int) -> int:
        """Checks that n bytes are left, moves past them, and returns the offset of the first."""
        at = self.pos
        if n > self.end - at:
            raise self.fault("truncated", self.end)
        self.pos = at + n
        return at

    def chunk(self, n: int) -> bytes:
        at = self.skip(n)
        return self.data[at : at + n]

    def byte(self) -> int:
        return self.data[self.skip(1)]

    def flag(self) -> bool:
        b = self.byte()
        if b > 1:
            raise self.fault("flag", self.pos - 1)
        return b == 1

    def uvarint(self) -> int:
        start, value = self.pos, 0
        for shift in range(0, 70, 7):
            b = self.byte()
            if b == 0 and shift > 0:
                raise self.fault("nonminimal", start)
            if shift == 63 and b > 1:
                break
            value |= (b & 0x7F) << shift
            if b < 0x80:
                return value
        raise self.fault("overflow", start)

    def varint(self) -> int:
        v = self.uvarint()
        return v >> 1 if v & 1 == 0 else -(v >> 1) - 1

    def length(self, form: str, least: int) -> int:
        """Reads a length, and checks that the rest of the input has room for so many parts of at least least bytes."""
        start = self.pos
        if form == "uvarint":
            n = self.uvarint()
        else:
            bits, order = _length(form)
            n = int.from_bytes(self.chunk(bits // 8), order, signed=form[0] == "i")
        if n < 0:
            raise self.fault("overflow", start)
        if least > 0 and n > (self.end - self.pos) // least:
            raise self.fault("truncated", self.end)
        return n

    def block(self, form: str) -> bytes:
        """Reads a length, and returns so many bytes."""
        return self.chunk(self.length(form, 1))


def _length(form: str) -> tuple[int, Literal["little", "big"]]:
    """Returns the bits and the order of a length such as u16le."""
    return int(form[1:].rstrip("lbe")), "big" if form.endswith("be") else "little"


class Writer:
    """The output of encode."""

    __slots__ = ("data", "canonical", "depth")

    def __init__(self, canonical: bool, depth: int) -> None:
        self.data = bytearray()
        self.canonical = canonical
        self.depth = depth

    def enter(self) -> None:
        if self.depth == 0:
            raise WireError("depth")
        self.depth -= 1

    def uvarint(self, v: int) -> None:
        while v > 0x7F:
            self.data.append(v & 0x7F | 0x80)
            v >>= 7
        self.data.append(v)

    def varint(self, v: int) -> None:
        self.uvarint(v << 1 if v >= 0 else ~v << 1 | 1)

    def length(self, n: int, form: str) -> None:
        if form == "uvarint":
            self.uvarint(n)
            return
        bits, order = _length(form)
        try:
            self.data += n.to_bytes(bits // 8, order, signed=form[0] == "i")
        except OverflowError:
            raise WireError("overflow") from None

    def block(self, b: bytes, form: str) -> None:
        self.length(len(b), form)
        self.data += b


class Codec(ABC, Generic[T]):
    """A Codec reads and writes the values of one type."""

    def decode(self, data: bytes, *, canonical: bool = False, depth: int = 1000, memory: int | None = None) -> T:
        """Returns the value whose encoding is data, or raises a WireError.

        canonical says that values have one form each, as the schema does. depth is how many
        levels a value may nest; Python's own limit may be met earlier, see
        sys.setrecursionlimit. memory bounds the memory of a value as Go counts it, by default
        64 KiB and 256 bytes for each byte of data.
        """
        r = Reader(bytes(data), canonical, depth, memory)
        try:
            v = self.read(r)
        except RecursionError:
            raise r.fault("depth") from None
        if r.pos < r.end:
            raise r.fault("trailing")
        return v

    def encode(self, v: T, *, canonical: bool = False, depth: int = 1000) -> bytes:
        """Returns the encoding of v, or raises a WireError."""
        w = Writer(canonical, depth)
        try:
            self.write(w, v)
        except RecursionError:
            raise WireError("depth") from None
        return bytes(w.data)

    @property
    def empty(self) -> bool:
        """Reports whether the encoding of every value is empty. Otherwise every encoding has at least one byte."""
        return False

    @property
    def size(self) -> int:
        """The minimum memory of a value in Go, which decode counts."""
        return 1

    @abstractmethod
    def read(self, r: Reader) -> T: ...

    @abstractmethod
    def write(self, w: Writer, v: T) -> None: ...

    @abstractmethod
    def skip(self, r: Reader) -> None:
        """Moves past a value, and examines it only as far as necessary to find its end."""

    @abstractmethod
    def zero(self) -> T:
        """The value of a field that was not written: 0, "", an empty list, None and so on."""

    def key(self, v: T) -> object:
        """Returns a value that is the same for equal keys of a map, or None for a key that is not equal to any other."""
        raise WireError("value")


def _check(v: object, *types: type) -> None:
    """Raises a WireError unless v is of one of the types. A bool is not an int here."""
    if not isinstance(v, types) or (isinstance(v, bool) and bool not in types):
        raise WireError("value")


# Simple types


class Bool(Codec[bool]):
    def read(self, r: Reader) -> bool:
        return r.flag()

    def write(self, w: Writer, v: bool) -> None:
        _check(v, bool)
        w.data.append(v)

    def skip(self, r: Reader) -> None:
        r.skip(1)

    def zero(self) -> bool:
        return False

    def key(self, v: bool) -> object:
        return v


class Int(Codec[int]):
    """An integer of 8 to 64 bits."""

    def __init__(self, signed: bool, bits: int, coding: Literal["varint", "little", "big"]) -> None:
        self.signed, self.bits = signed, bits
        self.coding: Literal["varint", "little", "big"] = coding
        self.least = -(1 << bits - 1) if signed else 0
        self.most = (1 << (bits - 1 if signed else bits)) - 1

    @property
    def size(self) -> int:
        return self.bits // 8

    def read(self, r: Reader) -> int:
        if self.coding != "varint":
            return int.from_bytes(r.chunk(self.bits // 8), self.coding, signed=self.signed)
        start = r.pos
        v = r.varint() if self.signed else r.uvarint()
        if not self.least <= v <= self.most:
            raise r.fault("overflow", start)
        return v

    def write(self, w: Writer, v: int) -> None:
        _check(v, int)
        if not self.least <= v <= self.most:
            raise WireError("overflow")
        if self.coding != "varint":
            w.data += v.to_bytes(self.bits // 8, self.coding, signed=self.signed)
        elif self.signed:
            w.varint(v)
        else:
            w.uvarint(v)

    def skip(self, r: Reader) -> None:
        if self.coding == "varint":
            r.uvarint()
        else:
            r.skip(self.bits // 8)

    def zero(self) -> int:
        return 0

    def key(self, v: int) -> object:
        return v


class BigInt(Codec[int]):
    """An integer of any length."""

    @property
    def size(self) -> int:
        return 32

    def read(self, r: Reader) -> int:
        start = r.pos
        b = r.block("uvarint")
        if not b or b[0] > 1 or b[1:2] == b"\0" or b == b"\1":
            raise r.fault("number", start)
        v = int.from_bytes(b[1:], "big")
        return -v if b[0] else v

    def write(self, w: Writer, v: int) -> None:
        _check(v, int)
        w.block((b"\1" if v < 0 else b"\0") + abs(v).to_bytes((v.bit_length() + 7) // 8, "big"), "uvarint")

    def skip(self, r: Reader) -> None:
        r.block("uvarint")

    def zero(self) -> int:
        return 0

    def key(self, v: int) -> object:
        return v


class Float(Codec[float]):
    """A number of 32 or 64 bits. All NaNs have the same encoding, because Python does not keep their bits."""

    def __init__(self, bits: Literal[32, 64], order: Literal["little", "big"]) -> None:
        self.bits, self.order = bits, order
        self._form = _struct.Struct(("<" if order == "little" else ">") + ("f" if bits == 32 else "d"))
        nan = bytes.fromhex("7fc00000" if bits == 32 else "7ff8000000000000")
        self._nan = nan if order == "big" else nan[::-1]

    @property
    def size(self) -> int:
        return self.bits // 8

    def read(self, r: Reader) -> float:
        b = r.chunk(self.bits // 8)
        v: float = self._form.unpack(b)[0]
        if r.canonical and (v != v and b != self._nan or v == 0 and b.strip(b"\0")):
            raise r.fault("canonical", r.pos - len(b))
        return v

    def write(self, w: Writer, v: float) -> None:
        _check(v, float, int)
        try:
            v = float(v)
            if w.canonical and v == 0:
                v = 0.0  # -0.0 too
            w.data += self._nan if v != v else self._form.pack(v)
        except OverflowError:
            raise WireError("overflow") from None

    def skip(self, r: Reader) -> None:
        r.skip(self.bits // 8)

    def zero(self) -> float:
        return 0.0

    def key(self, v: float) -> object:
        return None if v != v else (v,)


class Complex(Codec[complex]):
    def __init__(self, bits: Literal[32, 64], order: Literal["little", "big"]) -> None:
        self.half = Float(bits, order)

    @property
    def size(self) -> int:
        return 2 * self.half.size

    def read(self, r: Reader) -> complex:
        re = self.half.read(r)
        return complex(re, self.half.read(r))

    def write(self, w: Writer, v: complex) -> None:
        _check(v, complex, float, int)
        self.half.write(w, v.real)
        self.half.write(w, v.imag)

    def skip(self, r: Reader) -> None:
        r.skip(self.size)

    def zero(self) -> complex:
        return 0j

    def key(self, v: complex) -> object:
        return None if v != v else (v,)


class Text(Codec[str]):
    """A string. A string of Go need not be UTF-8: bytes that are not UTF-8 are read as lone surrogates, as by
    the error handler surrogateescape, and are written as the same bytes."""

    def __init__(self, form: str = "uvarint") -> None:
        self.form = form

    @property
    def size(self) -> int:
        return 16

    def read(self, r: Reader) -> str:
        return r.block(self.form).decode("utf-8", "surrogateescape")

    def write(self, w: Writer, v: str) -> None:
        _check(v, str)
        try:
            w.block(v.encode("utf-8", "surrogateescape"), self.form)
        except UnicodeEncodeError:
            raise WireError("value") from None

    def skip(self, r: Reader) -> None:
        r.block(self.form)

    def zero(self) -> str:
        return ""

    def key(self, v: str) -> object:
        return v


class Bytes(Codec[bytes]):
    """Bytes. Bytes from a method of a Go type may be the key of a map, and plain bytes may not."""

    def __init__(self, form: str = "uvarint", is_key: bool = False) -> None:
        self.form, self.is_key = form, is_key

    @property
    def size(self) -> int:
        return 1 if self.is_key else 24

    def read(self, r: Reader) -> bytes:
        return r.block(self.form)

    def write(self, w: Writer, v: bytes) -> None:
        _check(v, bytes, bytearray)
        w.block(v, self.form)

    def skip(self, r: Reader) -> None:
        r.block(self.form)

    def zero(self) -> bytes:
        return b""

    def key(self, v: bytes) -> object:
        return v if self.is_key else super().key(v)


class Skip(Codec[None]):
    """Bytes without a meaning. decode ignores them, and encode writes zeros."""

    def __init__(self, count: int) -> None:
        self.count = count

    @property
    def empty(self) -> bool:
        return self.count == 0

    def read(self, r: Reader) -> None:
        r.skip(self.count)

    def write(self, w: Writer, v: None) -> None:
        w.data += bytes(self.count)

    def skip(self, r: Reader) -> None:
        r.skip(self.count)

    def zero(self) -> None:
        return None

    def key(self, v: None) -> object:
        return ()


# Times

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


@dataclass(frozen=True)
class Time:
    """An instant with nanoseconds, which a datetime does not have, and the known properties of its zone.

    seconds are counted since 1970-01-01 00:00:00 UTC. The zone "local" is the zone of the machine
    that wrote the time. offset, of a zone but UTC, is in seconds east of it at that time.
    """

    seconds: int = -62135596800  # the start of the year 1, Go's zero time
    nanoseconds: int = 0
    zone: Literal["utc", "named", "local"] = "utc"
    offset: int = 0
    name: str = ""  # of a named zone

    @staticmethod
    def from_datetime(d: datetime.datetime) -> Time:
        """Returns the time of a datetime that has a time zone. It is in UTC, or in a zone of d's name."""
        offset = d.utcoffset()
        if offset is None:
            raise WireError("time")
        since = d - _EPOCH
        seconds, nanoseconds = since.days * 86400 + since.seconds, since.microseconds * 1000
        if d.tzinfo is datetime.timezone.utc:
            return Time(seconds, nanoseconds)
        name = str(getattr(d.tzinfo, "key", None) or d.tzname() or "")
        return Time(seconds, nanoseconds, "named", int(offset.total_seconds()), name)

    def to_datetime(self) -> datetime.datetime:
        """Returns the instant, cut to microseconds, in UTC or in a zone of the fixed offset.

        It raises an OverflowError or a ValueError if a datetime does not go so far.
        """
        d = _EPOCH + datetime.timedelta(seconds=self.seconds, microseconds=self.nanoseconds // 1000)
        if self.zone == "utc":
            return d
        return d.astimezone(datetime.timezone(datetime.timedelta(seconds=self.offset), self.name or None))  # type: ignore[arg-type]


class TimeCodec(Codec[Time]):
    @property
    def size(self) -> int:
        return 24

    def read(self, r: Reader) -> Time:
        start = r.pos
        seconds = r.varint()
        at = r.pos
        nanoseconds = r.uvarint()
        if nanoseconds >= 10**9:
            raise r.fault("time", at)
        at = r.pos
        zone = r.byte()
        if zone > 2:
            raise r.fault("time", at)
        if zone == 0:
            return Time(seconds, nanoseconds)
        if r.canonical:
            raise r.fault("canonical", start)
        offset = r.varint()
        if not -(1 << 31) <= offset < 1 << 31:
            raise r.fault("time", at)
        if zone == 2:
            return Time(seconds, nanoseconds, "local", offset)
        return Time(seconds, nanoseconds, "named", offset, TEXT.read(r))

    def write(self, w: Writer, v: Time) -> None:
        _check(v, Time)
        if not (-(1 << 63) <= v.seconds < 1 << 63 and 0 <= v.nanoseconds < 10**9 and -(1 << 31) <= v.offset < 1 << 31):
            raise WireError("time")
        w.varint(v.seconds)
        w.uvarint(v.nanoseconds)
        if w.canonical or v.zone == "utc":
            w.data.append(0)
            return
        w.data.append(1 if v.zone == "named" else 2)
        w.varint(v.offset)
        if v.zone == "named":
            TEXT.write(w, v.name)

    def skip(self, r: Reader) -> None:
        r.uvarint()
        r.uvarint()
        zone = r.byte()
        if zone != 0:
            r.uvarint()
        if zone == 1:
            r.block("uvarint")

    def zero(self) -> Time:
        return Time()

    def key(self, v: Time) -> object:
        return v


class LayoutTime(Codec[Time]):
    """A time of a declared layout: its nanoseconds since 1970, perhaps with the name of its zone."""

    # The number that represents the zero time, which does not fit: its nanoseconds without the bits beyond 64.
    _ZERO: ClassVar[int] = (Time().seconds * 10**9 + (1 << 63)) % (1 << 64) - (1 << 63)
    _NAME: ClassVar[Text] = Text("u8")

    def __init__(self, location: bool) -> None:
        self.location = location

    @property
    def size(self) -> int:
        return 24

    def read(self, r: Reader) -> Time:
        nanos = int.from_bytes(r.chunk(8), "little", signed=True)
        seconds, nanoseconds = (Time().seconds, 0) if nanos == self._ZERO else divmod(nanos, 10**9)
        if not self.location or not r.flag():
            return Time(seconds, nanoseconds)
        return Time(seconds, nanoseconds, "named", 0, self._NAME.read(r))

    def write(self, w: Writer, v: Time) -> None:
        _check(v, Time)
        nanos = v.seconds * 10**9 + v.nanoseconds
        if (v.seconds, v.nanoseconds) == (Time().seconds, 0):
            nanos = self._ZERO
        elif not -(1 << 63) <= nanos < 1 << 63 or nanos == self._ZERO:
            raise WireError("time")
        if v.zone == "local" or v.offset != 0 or v.zone == "named" and not self.location or not 0 <= v.nanoseconds < 10**9:
            raise WireError("time")
        w.data += nanos.to_bytes(8, "little", signed=True)
        if self.location:
            w.data.append(v.zone == "named")
            if v.zone == "named":
                self._NAME.write(w, v.name)

    def skip(self, r: Reader) -> None:
        r.skip(8)
        if self.location and r.flag():
            r.block("u8")

    def zero(self) -> Time:
        return Time()

    def key(self, v: Time) -> object:
        return v.seconds, v.nanoseconds, "" if v.name == "UTC" else v.name


# Lists and maps


class List(Codec[list[T]]):
    def __init__(self, form: str, elem: Codec[T]) -> None:
        self.form, self.elem = form, elem

    @property
    def size(self) -> int:
        return 24

    def read(self, r: Reader) -> list[T]:
        r.enter()
        n = r.length(self.form, 0 if self.elem.empty else 1)
        r.take(n, 8 if self.elem.empty else self.elem.size)  # elements without bytes are counted too
        out = _read_many(r, self.elem, n)
        r.depth += 1
        return out

    def write(self, w: Writer, v: list[T]) -> None:
        _check(v, list, tuple)
        w.enter()
        w.length(len(v), self.form)
        _write_many(w, self.elem, v)
        w.depth += 1

    def skip(self, r: Reader) -> None:
        r.enter()
        n = r.length(self.form, 0)
        if not self.elem.empty:
            for _ in range(n):
                self.elem.skip(r)
        r.depth += 1

    def zero(self) -> list[T]:
        return []


class Array(Codec[list[T]]):
    """A list of a fixed number of elements."""

    def __init__(self, count: int, elem: Codec[T]) -> None:
        self.count, self.elem = count, elem

    @property
    def empty(self) -> bool:
        return self.count == 0 or self.elem.empty

    @property
    def size(self) -> int:
        return self.count * self.elem.size

    def read(self, r: Reader) -> list[T]:
        if self.empty:
            r.take(self.count, 8)
        elif self.count > r.end - r.pos:
            raise r.fault("truncated", r.end)
        return _read_many(r, self.elem, self.count)

    def write(self, w: Writer, v: list[T]) -> None:
        _check(v, list, tuple)
        if len(v) != self.count:
            raise WireError("value")
        _write_many(w, self.elem, v)

    def skip(self, r: Reader) -> None:
        if not self.empty:
            for _ in range(self.count):
                self.elem.skip(r)

    def zero(self) -> list[T]:
        return [self.elem.zero() for _ in range(self.count)]

    def key(self, v: list[T]) -> object:
        return _join(self.elem.key(one) for one in v)


def _read_many(r: Reader, elem: Codec[T], n: int) -> list[T]:
    out: list[T] = []
    try:
        for _ in range(n):
            out.append(elem.read(r))
    except WireError as error:
        raise error.within(f"[{len(out)}]")
    return out


def _write_many(w: Writer, elem: Codec[T], v: list[T]) -> None:
    i = 0
    try:
        for i, one in enumerate(v):
            elem.write(w, one)
    except WireError as error:
        raise error.within(f"[{i}]")


def _join(parts: Iterable[object]) -> object:
    """Joins the keys of parts. If a part is not equal to any other, neither is the whole."""
    all_parts = tuple(parts)
    return None if None in all_parts else all_parts


class _Entries(Codec[T], Generic[T, K, V]):
    """The common part of both kinds of maps: their entries."""

    def __init__(self, form: str, keys: Codec[K], elem: Codec[V]) -> None:
        self.form, self.keys, self.elem = form, keys, elem

    @property
    def size(self) -> int:
        return 8

    def _read(self, r: Reader) -> Iterator[tuple[K, V]]:
        r.enter()
        n = r.length(self.form, (not self.keys.empty) + (not self.elem.empty))
        r.take(n, max(1, self.keys.size + self.elem.size))
        seen: set[object] = set()
        last: bytes | None = None
        for _ in range(n):
            start, step = r.pos, "[key]"
            try:
                key = self.keys.read(r)
                if r.canonical:
                    data = r.data[start : r.pos]
                    if last is not None and last >= data:
                        raise r.fault("unsorted", start)
                    last = data
                same = self.keys.key(key)
                if same is not None and same in seen:
                    raise r.fault("duplicate", start)
                seen.add(same)
                step = _step(key)
                value = self.elem.read(r)
            except WireError as error:
                raise error.within(step)
            yield key, value
        r.depth += 1

    def _write(self, w: Writer, entries: Iterable[tuple[K, V]], count: int) -> None:
        w.enter()
        w.length(count, self.form)
        seen: set[object] = set()
        start = len(w.data)
        parts: list[tuple[bytes, bytes]] = []
        for key, value in entries:
            step = "[key]"
            try:
                at = len(w.data)
                self.keys.write(w, key)
                same = self.keys.key(key)
                if same is not None and same in seen:
                    raise WireError("duplicate")
                seen.add(same)
                middle, step = len(w.data), _step(key)
                self.elem.write(w, value)
            except WireError as error:
                raise error.within(step)
            if w.canonical:
                parts.append((bytes(w.data[at:middle]), bytes(w.data[middle:])))
        if w.canonical:
            del w.data[start:]
            parts.sort(key=lambda part: part[0])
            for i, part in enumerate(parts):
                if i > 0 and parts[i - 1][0] == part[0]:
                    raise WireError("duplicate")
                w.data += part[0] + part[1]
        w.depth += 1

    def skip(self, r: Reader) -> None:
        r.enter()
        n = r.length(self.form, 0)
        if not (self.keys.empty and self.elem.empty):
            for _ in range(n):
                self.keys.skip(r)
                self.elem.skip(r)
        r.depth += 1


class Map(_Entries[dict[K, V], K, V]):
    """A map whose keys are strings, integers or booleans. Its order is the order of the bytes."""

    def read(self, r: Reader) -> dict[K, V]:
        return dict(self._read(r))

    def write(self, w: Writer, v: dict[K, V]) -> None:
        _check(v, dict)
        self._write(w, v.items(), len(v))

    def zero(self) -> dict[K, V]:
        return {}


class Pairs(_Entries[list[tuple[K, V]], K, V]):
    """A map whose keys Python would not compare as Go does: a list of entries."""

    def read(self, r: Reader) -> list[tuple[K, V]]:
        return list(self._read(r))

    def write(self, w: Writer, v: list[tuple[K, V]]) -> None:
        _check(v, list, tuple)
        self._write(w, v, len(v))

    def zero(self) -> list[tuple[K, V]]:
        return []


def _step(key: object) -> str:
    if isinstance(key, str):
        return f"[{key[:32]!r}]"
    return f"[{key}]" if isinstance(key, int) else "[…]"


# One of several


@dataclass(frozen=True)
class Some(Generic[T]):
    """A value that is present, for types that have None as a value too."""

    value: T


class Optional(Codec["T | None"], Generic[T]):
    def __init__(self, elem: Codec[T]) -> None:
        self.elem = elem

    def read(self, r: Reader) -> T | None:
        if not r.flag():
            return None
        r.enter()
        r.take(1, self.elem.size)
        v = self.elem.read(r)
        r.depth += 1
        return v

    def write(self, w: Writer, v: T | None) -> None:
        w.data.append(v is not None)
        if v is not None:
            w.enter()
            self.elem.write(w, v)
            w.depth += 1

    def skip(self, r: Reader) -> None:
        if r.flag():
            r.enter()
            self.elem.skip(r)
            r.depth += 1

    def zero(self) -> T | None:
        return None

    def key(self, v: T | None) -> object:
        return () if v is None else None  # it may be a pointer in Go


class SomeCodec(Codec[Some[T]]):
    """Wraps a codec whose values may be None."""

    def __init__(self, elem: Codec[T]) -> None:
        self.elem = elem

    @property
    def empty(self) -> bool:
        return self.elem.empty

    @property
    def size(self) -> int:
        return self.elem.size

    def read(self, r: Reader) -> Some[T]:
        return Some(self.elem.read(r))

    def write(self, w: Writer, v: Some[T]) -> None:
        _check(v, Some)
        self.elem.write(w, v.value)

    def skip(self, r: Reader) -> None:
        self.elem.skip(r)

    def zero(self) -> Some[T]:
        return Some(self.elem.zero())


@dataclass
class Raw(Generic[T]):
    """A value that is not decoded yet. data has the encoding of the value, or is empty if there is no value."""

    codec: Codec[T]
    data: bytes = b""

    @staticmethod
    def of(codec: Codec[V], v: V) -> Raw[V]:
        return Raw(codec, codec.encode(v))

    def decode(self) -> T:
        return self.codec.decode(self.data)


class RawCodec(Codec[Raw[T]]):
    def __init__(self, form: str, elem: Codec[T]) -> None:
        self.form, self.elem = form, elem

    @property
    def size(self) -> int:
        return 24

    def read(self, r: Reader) -> Raw[T]:
        return Raw(self.elem, r.block(self.form))

    def write(self, w: Writer, v: Raw[T]) -> None:
        _check(v, Raw)
        w.block(v.data, self.form)

    def skip(self, r: Reader) -> None:
        r.block(self.form)

    def zero(self) -> Raw[T]:
        return Raw(self.elem)


@dataclass(frozen=True)
class Case(Generic[N, T]):
    """One of several cases: the name of the case, and its value or None."""

    case: N
    value: T = None  # type: ignore[assignment]


class Union(Codec[T]):
    """The tag "byte" is for the types of package mo; "uvarint" is for an interface, where 0 is None.

    cases returns the id and the name of each case, and the codec of its value or None.
    """

    def __init__(self, tag: Literal["byte", "uvarint"], cases: Callable[[], list[tuple[int, str, Codec[Any] | None]]]) -> None:
        self.tag, self._list = tag, cases
        self._ids: dict[int, tuple[int, str, Codec[Any] | None]] | None = None
        self._names: dict[str, tuple[int, str, Codec[Any] | None]] = {}

    def cases(self) -> dict[int, tuple[int, str, Codec[Any] | None]]:
        if self._ids is None:
            self._names = {one[1]: one for one in self._list()}
            self._ids = {one[0]: one for one in self._list()}
        return self._ids

    def named(self, v: object) -> tuple[int, str, Codec[Any] | None]:
        """Returns the case of a value."""
        _check(v, Case)
        self.cases()
        one = self._names.get(v.case)  # type: ignore[attr-defined]
        if one is None:
            raise WireError("value")
        return one

    def _which(self, r: Reader) -> tuple[int, str, Codec[Any] | None] | None:
        """Reads an id; None is the id of None."""
        start = r.pos
        i = r.byte() if self.tag == "byte" else r.uvarint()
        if i == 0 and self.tag == "uvarint":
            return None
        one = self.cases().get(i)
        if one is None:
            raise r.fault("tag" if self.tag == "byte" else "unregistered", start)
        return one

    def read(self, r: Reader) -> T:
        one = self._which(r)
        if one is None:
            return None  # type: ignore[return-value]
        _, name, codec = one
        if codec is None:
            return Case(name)  # type: ignore[return-value]
        r.enter()
        try:
            r.take(1, codec.size)
            value = codec.read(r)
        except WireError as error:
            raise error.within(f".({name})")
        r.depth += 1
        return Case(name, value)  # type: ignore[return-value]

    def write(self, w: Writer, v: T) -> None:
        if v is None and self.tag == "uvarint":
            w.data.append(0)
            return
        number, name, codec = self.named(v)
        if self.tag == "byte":
            w.data.append(number)
        else:
            w.uvarint(number)
        if codec is None:
            return
        w.enter()
        try:
            codec.write(w, v.value)  # type: ignore[attr-defined]
        except WireError as error:
            raise error.within(f".({name})")
        w.depth += 1

    def skip(self, r: Reader) -> None:
        one = self._which(r)
        if one is not None and one[2] is not None:
            r.enter()
            one[2].skip(r)
            r.depth += 1

    def zero(self) -> T:
        if self.tag == "uvarint":
            return None  # type: ignore[return-value]
        first = self.cases().get(0) or next(iter(self.cases().values()), None)
        if first is None:
            raise WireError("value")
        return Case(first[1], None if first[2] is None else first[2].zero())  # type: ignore[return-value]

    def key(self, v: T) -> object:
        if v is None:
            return ()
        number, name, codec = self.named(v)
        if self.tag == "byte" and name == "error":
            return None  # errors of one text are not equal in Go
        return (number,) if codec is None else _join((number, codec.key(v.value)))  # type: ignore[attr-defined]


# Structs


@dataclass(frozen=True)
class Field:
    """A field: its name in the schema, its attribute, and its codec.

    attribute is None if the struct has none: the field was removed, or is skipped. removed
    has the bytes that are written in the place of a field that was removed.
    """

    name: str
    attribute: str | None
    codec: Codec[Any]
    removed: bytes | None = None


class Struct(Codec[T]):
    """A struct whose values are of a class that takes its fields as arguments.

    unknown is the name and the attribute that keeps the fields that newer versions of an evolving
    struct have added.
    """

    def __init__(self, cls: Callable[..., T], fields: Callable[[], list[Field]], evolving: bool = False, unknown: tuple[str, str] | None = None) -> None:
        self.cls, self.evolving, self.unknown = cls, evolving, unknown
        self._list = fields
        self._known: list[Field] | None = None

    @property
    def fields(self) -> list[Field]:
        if self._known is None:
            self._known = self._list()
        return self._known

    @property
    def empty(self) -> bool:
        return not self.evolving and all(f.codec.empty for f in self.fields)

    @property
    def size(self) -> int:
        return sum(f.codec.size for f in self.fields if f.attribute is not None)

    def read(self, r: Reader) -> T:
        values: dict[str, Any] = {}
        end, step = r.end, ""
        if self.evolving:
            r.enter()
            n = r.length("uvarint", 1)
            r.end = r.pos + n
        try:
            for f in self.fields:
                step = f.name
                if self.evolving and r.pos == r.end and not (r.canonical and f.codec.empty):
                    if r.canonical:
                        raise r.fault("canonical")
                    if f.attribute is not None:  # the writer knew no more
                        values[f.attribute] = f.codec.zero()
                elif f.removed is not None:
                    start = r.pos
                    f.codec.skip(r)
                    if r.canonical and r.data[start : r.pos] != f.removed:
                        raise r.fault("canonical", start)
                elif f.attribute is None:
                    f.codec.read(r)
                else:
                    values[f.attribute] = f.codec.read(r)
        except WireError as error:
            raise error.within("." + step)
        if self.evolving:
            if r.canonical and r.pos < r.end:
                raise r.fault("canonical")
            if self.unknown is not None:
                values[self.unknown[1]] = r.data[r.pos : r.end]
            r.pos, r.end = r.end, end
            r.depth += 1
        return self.cls(**values)

    def write(self, w: Writer, v: T) -> None:
        if self.evolving:
            w.enter()
        start, step = len(w.data), ""
        try:
            for f in self.fields:
                step = f.name
                if f.removed is not None:
                    w.data += f.removed
                else:
                    f.codec.write(w, None if f.attribute is None else _attribute(v, f.attribute))
        except WireError as error:
            raise error.within("." + step)
        if not self.evolving:
            return
        if self.unknown is not None:
            rest = _attribute(v, self.unknown[1])
            if not isinstance(rest, bytes) or w.canonical and rest:
                raise WireError("canonical" if isinstance(rest, bytes) else "value").within("." + self.unknown[0])
            w.data += rest
        held = bytes(w.data[start:])
        del w.data[start:]
        w.block(held, "uvarint")
        w.depth += 1

    def skip(self, r: Reader) -> None:
        if self.evolving:
            r.block("uvarint")
            return
        for f in self.fields:
            f.codec.skip(r)

    def zero(self) -> T:
        values = {f.attribute: f.codec.zero() for f in self.fields if f.attribute is not None}
        if self.unknown is not None:
            values[self.unknown[1]] = b""
        return self.cls(**values)

    def key(self, v: T) -> object:
        return _join(() if f.attribute is None else f.codec.key(_attribute(v, f.attribute)) for f in self.fields)


def _attribute(v: object, name: str) -> Any:
    try:
        return getattr(v, name)
    except AttributeError:
        raise WireError("value") from None


class Lazy(Codec[T]):
    """A type that is declared later in its module."""

    def __init__(self, to: Callable[[], Codec[T]]) -> None:
        self.to = to

    @property
    def empty(self) -> bool:
        return self.to().empty

    @property
    def size(self) -> int:
        return self.to().size

    def read(self, r: Reader) -> T:
        return self.to().read(r)

    def write(self, w: Writer, v: T) -> None:
        self.to().write(w, v)

    def skip(self, r: Reader) -> None:
        self.to().skip(r)

    def zero(self) -> T:
        return self.to().zero()

    def key(self, v: T) -> object:
        return self.to().key(v)


# The parts of generated modules other than the classes

BOOL = Bool()
BIG_INT = BigInt()
TEXT = Text()
BINARY = Bytes(is_key=True)
TIME = TimeCodec()
TIME_UTC = LayoutTime(False)
TIME_LOCATION = LayoutTime(True)


def field(name: str, attribute: str, codec: Codec[Any]) -> Field:
    return Field(name, attribute, codec)


def skipped(count: int) -> Field:
    return Field("", None, Skip(count))


def removed(name: str, codec: Codec[Any], zero: str) -> Field:
    return Field(name, None, codec, bytes.fromhex(zero))


# Streams


def records(stream: bytes) -> Iterator[bytes]:
    """Returns the records of a stream, each after its length: their bytes, for decode."""
    r = Reader(bytes(stream), False, 0, None)
    while r.pos < r.end:
        yield r.block("uvarint")


def record(encoded: bytes) -> bytes:
    """Returns a record of a stream: a length, and the bytes, which are a result of encode."""
    w = Writer(False, 0)
    w.block(encoded, "uvarint")
    return bytes(w.data)
