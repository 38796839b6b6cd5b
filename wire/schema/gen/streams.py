"""Streams and containers of Hone's wire format: the records in files and connections.

read_records and aread_records read the records of a wire.Encoder. read_container and
aread_container read the records of a container of package wire/container, and ContainerWriter
writes one. A record is the bytes of a value, for the decode of a module that "hone gen -python" has
made. docs/wire-container.md of Hone describes the bytes of a container.

Bytes may come from anybody. Whatever they are, a reader yields records or raises an error; memory
is bounded by the limit.
"""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from types import TracebackType
from typing import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Protocol, Union, cast

__all__ = [
    "Compression", "ContainerError", "ContainerWriter", "GZIP", "Header", "Loss", "LossError", "Readable", "SkippedError",
    "Source", "StreamError", "Summary", "Writable", "aread_container", "aread_records", "crc32c", "read_container", "read_records",
]


class Readable(Protocol):
    """A file that is open for reading bytes, such as open(name, "rb")."""

    def read(self, size: int, /) -> bytes: ...


class Writable(Protocol):
    """A file that is open for writing bytes, such as open(name, "wb")."""

    def write(self, data: bytes, /) -> object: ...


Source = Union[bytes, bytearray, memoryview, Readable, Iterable[bytes]]

DEFAULT_LIMIT = 64 << 20


class StreamError(ValueError):
    """A stream that cannot be read to its end. reason is "truncated" if it ends within a record, or
    "length" for a malformed length. offset is the place in the stream."""

    def __init__(self, reason: str, offset: int, text: str) -> None:
        super().__init__(f"byte {offset}: {text}")
        self.reason = reason
        self.offset = offset


class SkippedError(ValueError):
    """A record over the limit, which is skipped. A reader calls its function on_skip with the record."""

    def __init__(self, offset: int, length: int, limit: int) -> None:
        super().__init__(f"byte {offset}: a record of {length} bytes is longer than the limit of {limit}; the argument limit raises it")
        self.offset, self.length, self.limit = offset, length, limit


class ContainerError(ValueError):
    """Bytes that are not a container, or a container that this program does not read."""


@dataclass(frozen=True)
class Loss:
    """A part of a container that cannot be read.

    cause is "checksum", "missing", "order", "malformed", "limit", "header", "compression" or
    "truncated". offset and size are the place of the part in the stream, in bytes. blocks and
    records are the numbers of missing blocks and records; records is -1 if the number is unknown.
    """

    cause: str
    offset: int
    size: int
    blocks: int
    records: int

    def __str__(self) -> str:
        records = "an unknown number of" if self.records < 0 else str(self.records)
        return f"lost {self.size} bytes at byte {self.offset}, with {self.blocks} blocks and {records} records: {self.cause}"


class LossError(ContainerError):
    """A Loss, raised by a reader without a function on_loss."""

    def __init__(self, loss: Loss) -> None:
        super().__init__(str(loss))
        self.loss = loss


@dataclass(frozen=True)
class Compression:
    """A compression of blocks. decompress gets the size of its result, and must not return more."""

    name: str
    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes, int], bytes]


def _gunzip(data: bytes, size: int) -> bytes:
    d = zlib.decompressobj(31)
    out = d.decompress(data, size + 1)
    if not d.eof and len(out) <= size:
        raise ValueError("the data ends too early")
    return out


def _gzip(data: bytes) -> bytes:
    c = zlib.compressobj(6, zlib.DEFLATED, 31)
    return c.compress(data) + c.flush()


GZIP = Compression("gzip", _gzip, _gunzip)


def _table() -> list[int]:
    out = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        out.append(i)
    return out


_TABLE = _table()


def crc32c(data: bytes, crc: int = 0) -> int:
    """Returns the CRC-32C of data, after bytes with the checksum crc."""
    table = _TABLE
    crc ^= 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ table[(crc ^ b) & 0xFF]
    return crc ^ 0xFFFFFFFF


class _Window:
    """The bytes that were read but not used yet. Generators that use it yield None when they need
    more bytes; ended is set if there are none."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.offset = 0
        self.ended = False

    def take(self, n: int) -> None:
        del self.data[:n]
        self.offset += n


def _uvarint(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Returns a number and the offset after it, or the offset -1 if data ends within the number, or
    -2 if it is malformed."""
    value = 0
    for i in range(at, min(at + 10, len(data))):
        b = data[i]
        shift = 7 * (i - at)
        if b == 0 and shift > 0 or shift == 63 and b > 1:
            return 0, -2
        value |= (b & 0x7F) << shift
        if b < 0x80:
            return value, i + 1
    return 0, -1


def _records(w: _Window, limit: int, on_skip: Callable[[SkippedError], None] | None) -> Iterator[bytes | None]:
    while True:
        n, head = _uvarint(w.data, 0)
        if head == -2:
            raise StreamError("length", w.offset, "a malformed length")
        if head > 0 and n > limit:
            error = SkippedError(w.offset, n, limit)
            if on_skip is None:
                raise error
            on_skip(error)
            w.take(head)
            while n > 0:
                some = min(n, len(w.data))
                w.take(some)
                n -= some
                if n > 0:
                    if w.ended:
                        raise StreamError("truncated", w.offset, "the stream ends within a record")
                    yield None
        elif head > 0 and head + n <= len(w.data):
            out = bytes(w.data[head : head + n])
            w.take(head + n)
            yield out
        elif w.ended:
            if w.data:
                raise StreamError("truncated", w.offset + len(w.data), "the stream ends within a record")
            return
        else:
            yield None


def _chunks(source: Source) -> Iterator[bytes]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        yield bytes(source)
        return
    read = getattr(source, "read", None)
    if read is None:
        yield from cast("Iterable[bytes]", source)
        return
    while data := read(64 << 10):
        yield data


def _drive(w: _Window, events: Iterator[bytes | None], source: Source) -> Iterator[bytes]:
    chunks = _chunks(source)
    for event in events:
        if event is not None:
            yield event
            continue
        data = next(chunks, None)
        if data is None:
            w.ended = True
        else:
            w.data += data


async def _adrive(w: _Window, events: Iterator[bytes | None], source: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    chunks = source.__aiter__()
    for event in events:
        if event is not None:
            yield event
            continue
        try:
            w.data += await chunks.__anext__()
        except StopAsyncIteration:
            w.ended = True


def read_records(source: Source, *, limit: int = DEFAULT_LIMIT, on_skip: Callable[[SkippedError], None] | None = None) -> Iterator[bytes]:
    """Yields the records of a stream: of bytes, of a file, or of an iterable of bytes.

    It raises a StreamError for a malformed length, and at the end of a stream that ends within a
    record. A record of more than limit bytes is skipped if there is a function on_skip, and
    raised as a SkippedError otherwise.
    """
    w = _Window()
    return _drive(w, _records(w, limit, on_skip), source)


def aread_records(
    source: AsyncIterable[bytes], *, limit: int = DEFAULT_LIMIT, on_skip: Callable[[SkippedError], None] | None = None
) -> AsyncIterator[bytes]:
    """Is read_records for an asynchronous iterable, such as the content of an HTTP response."""
    w = _Window()
    return _adrive(w, _records(w, limit, on_skip), source)


# Containers

_MAGIC = b"\x89HWC\r\n\x1a\n"
_MARKER = 16
_FIXED = 40
_SEPARATOR = bytes(8)
_MAX_NAME = 255
_MAX_SCHEMA = 1 << 20
_MAX_HEADER = _FIXED + _MAX_NAME + _MAX_SCHEMA + 4
_HEAD = 48
_TAIL = 4
_MOST = (1 << 62) - 1
_MAX_PREFIX = 10


@dataclass(frozen=True)
class Header:
    """The header of a container. schema is JSON, or empty."""

    marker: bytes
    fingerprint: bytes
    compression: str
    schema: bytes

    def _copies(self) -> bytes:
        name = self.compression.encode()
        if len(name) > _MAX_NAME or len(self.schema) > _MAX_SCHEMA or len(self.marker) != _MARKER or len(self.fingerprint) != 8:
            raise ContainerError("a part of the header has a wrong length")
        one = _MAGIC + struct.pack("<BBHI", 1, 1 if self.schema else 0, len(name), len(self.schema))
        one += self.marker + self.fingerprint + name + self.schema
        one += struct.pack("<I", crc32c(one))
        return one + _SEPARATOR + one


class _PartError(Exception):
    """More bytes are needed."""


def _parse_header(data: bytes | bytearray) -> tuple[Header, int]:
    have = min(len(data), len(_MAGIC))
    if data[:have] != _MAGIC[:have]:
        raise ContainerError("not a container")
    if len(data) < _FIXED:
        raise _PartError
    version, flags, name, text = struct.unpack_from("<BBHI", data, 8)
    if version != 1:
        raise ContainerError(f"a container of version {version}; this program reads version 1")
    if flags & ~1 or name > _MAX_NAME or text > _MAX_SCHEMA or flags == 0 and text > 0:
        raise ContainerError("both copies of the header are damaged")
    n = _FIXED + name + text
    if len(data) < n + 4:
        raise _PartError
    if struct.unpack_from("<I", data, n)[0] != crc32c(bytes(data[:n])):
        raise ContainerError("both copies of the header are damaged")
    compression = data[_FIXED : _FIXED + name].decode("utf-8", "replace")
    return Header(bytes(data[16:32]), bytes(data[32:40]), compression, bytes(data[_FIXED + name : n])), n + 4


def _skip_to(data: bytes | bytearray, text: bytes) -> int:
    """Returns the first offset after 0 at which data contains text, or ends with a prefix of text."""
    at = data.find(text, 1)
    if at >= 0:
        return at
    for at in range(max(1, len(data) - len(text) + 1), len(data)):
        if data[at:] == text[: len(data) - at]:
            return at
    return len(data)


@dataclass
class _Block:
    number: int
    first: int
    count: int
    size: int
    length: int

    @property
    def total(self) -> int:
        return _HEAD + self.length + _TAIL

    def head(self, marker: bytes) -> bytes:
        return marker + struct.pack("<QQIII", self.number, self.first, self.count, self.size, self.length)


def _parse_block(data: bytes | bytearray) -> _Block | None:
    if struct.unpack_from("<I", data, 44)[0] != crc32c(bytes(data[:44])):
        return None
    b = _Block(*struct.unpack_from("<QQIII", data, 16))
    if b.number < _MOST and b.first < _MOST and b.length <= b.size and (b.count > 0) == (b.size > 0):
        return b
    return None


@dataclass
class Summary:
    """The numbers of records that were read and lost. closed is set if the writer has closed the container."""

    header: Header | None = None
    records: int = 0
    lost: int = 0
    closed: bool = False


def _accepted(fingerprints: Iterable[bytes]) -> list[bytes]:
    """Returns fingerprints as a list. It refuses one fingerprint in the place of several, and text."""
    if isinstance(fingerprints, (bytes, bytearray, str)):
        raise TypeError(f"fingerprints is a list, such as [FINGERPRINT], or None; it is {type(fingerprints).__name__}")
    accepted = list(fingerprints)
    for one in accepted:
        _check_bytes("each of fingerprints", one)
        if len(one) != 8:
            raise ValueError(f"a fingerprint has 8 bytes, and one of fingerprints has {len(one)}")
    return accepted


def _check_bytes(what: str, value: object) -> None:
    """Raises a TypeError if value is not bytes."""
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{what} is bytes, not {type(value).__name__}")


class _Scanner:
    """Finds the whole blocks of a container, like the scanner in Go's package wire/container."""

    def __init__(
        self, accept: Iterable[bytes] | None, compressions: Iterable[Compression], limit: int, on_loss: Callable[[Loss], None] | None, summary: Summary
    ) -> None:
        self.w = _Window()
        self.accept = None if accept is None else _accepted(accept)
        self.compressions: Mapping[str, Compression] = {c.name: c for c in compressions}
        self.limit, self.on_loss, self.summary = limit, on_loss, summary
        self.number = self.first = 0
        self.gap = False
        self.start, self.cause, self.least, self.markers, self.spent = 0, "", 1, 0, 0
        self.until: _Block | None = None
        self.marker = b""
        self.decompress: Callable[[bytes, int], bytes] | None = None

    def lose(self, loss: Loss | None) -> None:
        if loss is None:
            return
        self.summary.lost += max(0, loss.records)
        if self.on_loss is None:
            raise LossError(loss)
        self.on_loss(loss)

    def begin(self, cause: str, least: int) -> None:
        self.gap, self.start, self.cause, self.least, self.markers, self.until = True, self.w.offset, cause, least, 0, None

    def run(self) -> Iterator[bytes | None]:
        yield from self.open()
        w = self.w
        while True:
            cause, b = self.here()
            if cause == "":
                assert b is not None
                loss, stored = self.place(b), bytes(w.data[_HEAD : _HEAD + b.length])
                at = w.offset
                w.take(b.total)
                if loss is not None and loss.cause == "order":
                    self.lose(loss)
                    continue
                yield from self.deliver(b, stored, at, loss)
            elif cause != "part":
                self.damage(cause)
            elif not w.ended:
                yield None
            elif w.data:
                self.damage("truncated")
            else:
                self.lose(self.rest())
                return

    def open(self) -> Iterator[None]:
        w = self.w
        failed: ContainerError | None = None
        while True:
            try:
                header, n = _parse_header(w.data)
                break
            except _PartError:
                if not w.ended:
                    yield None
                    continue
                if failed is not None and not w.data:
                    raise failed from None
                error = ContainerError(f"the header ends after {len(w.data)} bytes" if w.data else "not a container: no input")
            except ContainerError as e:
                error = e
            if failed is None or str(failed) == "not a container":
                failed = error
            if w.offset > _MAX_HEADER or not w.data:
                raise failed
            w.take(_skip_to(w.data, _MAGIC))
        self.summary.header = header
        self.marker = header.marker
        if self.accept is not None and header.fingerprint not in self.accept:
            raise ContainerError(f"the container has the schema {header.fingerprint.hex()}, which is not accepted")
        if header.compression:
            if header.compression not in self.compressions:
                raise ContainerError(f"the blocks are compressed by {header.compression!r}, which is not in compressions")
            self.decompress = self.compressions[header.compression].decompress
        at = w.offset
        if at > 0:
            self.lose(Loss("header", 0, at, 0, 0))
        second = _SEPARATOR + bytes(w.data[:n])
        while not w.ended and len(w.data) < n + len(second) and second.startswith(w.data[n:]):
            yield None
        got = bytes(w.data[n : n + len(second)])
        w.take(n)
        if got == second:
            w.take(len(second))
        elif at == 0 and second.startswith(got):
            self.begin("truncated", 0)
            w.take(len(got))
        elif at == 0:
            self.begin("header", 0)

    def here(self) -> tuple[str, _Block | None]:
        """Parses and checks the block at the start of the window. Returns the cause of its damage, "part" if
        the window does not have all of it, or ""."""
        data = self.w.data
        have = min(len(data), _MARKER)
        if data[:have] != self.marker[:have]:
            return "checksum", None
        if len(data) < _HEAD:
            return "part", None
        b = _parse_block(data)
        if b is None:
            return "checksum", None
        if b.size > self.limit + _MAX_PREFIX:
            return "limit", b
        if len(data) < b.total:
            return "part", b
        if self.spent + b.length <= 4 * (self.w.offset + len(data)):
            end = _HEAD + b.length
            if struct.unpack_from("<I", data, end)[0] == crc32c(bytes(data[_HEAD:end]), crc32c(bytes(data[:44]))):
                return "", b
            self.spent += b.length
        return "checksum", b

    def damage(self, cause: str) -> None:
        """Moves to the next byte that may be the start of a marker."""
        data = self.w.data
        if not self.gap:
            self.begin(cause, 0 if self.summary.closed else 1)
        if data.startswith(self.marker):
            self.markers += 1
            b = _parse_block(data) if len(data) >= _HEAD else None
            if b is not None and b.number >= self.number and b.first >= self.first:
                self.until = b
        self.w.take(_skip_to(data, self.marker))

    def place(self, b: _Block) -> Loss | None:
        """Compares the numbers of a block with the expected ones. A block with the loss "order" is not
        delivered."""
        at = self.w.offset
        if b.number < self.number or b.first < self.first:
            before = self.loss(at, 0, 0) if self.gap else Loss("order", at, 0, 0, 0)
            return Loss("order", before.offset, before.size + b.total, 0, 0)
        loss = None
        if self.gap or b.number > self.number or b.first > self.first:
            loss = self.loss(at, b.number - self.number, b.first - self.first)
        self.number, self.first = b.number + 1, b.first + b.count
        self.summary.closed = b.count == 0
        return loss

    def loss(self, at: int, blocks: int, records: int) -> Loss:
        if not self.gap:
            return Loss("missing", at, 0, blocks, records)
        self.gap = False
        return Loss(self.cause, self.start, at - self.start, blocks, records)

    def rest(self) -> Loss | None:
        if not self.gap:
            return None
        blocks, records = max(self.markers, self.least), -1
        if blocks == 0:
            records = 0
        elif self.until is not None:
            blocks = self.until.number - self.number + 1
            records = self.until.first - self.first + self.until.count
        return self.loss(self.w.offset, blocks, records)

    def deliver(self, b: _Block, stored: bytes, at: int, before: Loss | None) -> Iterator[bytes]:
        """Yields the records of a whole block, after the loss before it."""
        data, cause = stored, ""
        if b.length < b.size:
            cause = "malformed"
            if self.decompress is not None:
                try:
                    data = self.decompress(stored, b.size)
                    cause = "" if len(data) == b.size else cause
                except Exception:  # of any compression
                    cause = "compression"
        if cause:
            lost = Loss(cause, at + _HEAD, b.length, 1, b.count)
            if before is not None:  # one loss for both
                end = lost.offset + lost.size
                lost = Loss(cause, before.offset, end - before.offset, before.blocks + 1, before.records + b.count)
            self.lose(lost)
            return
        self.lose(before)
        pos = 0
        for left in range(b.count, 0, -1):
            n, start = _uvarint(data, pos)
            if start < 0 or n > len(data) - start or left == 1 and n != len(data) - start:
                place = at + _HEAD + (0 if b.length < b.size else pos)
                self.lose(Loss("malformed", place, len(data) - pos, 1, left))
                return
            pos = start + n
            self.summary.records += 1
            yield data[start:pos]


def read_container(
    source: Source,
    *,
    fingerprints: Iterable[bytes] | None,
    compressions: Iterable[Compression] = (GZIP,),
    limit: int = DEFAULT_LIMIT,
    on_loss: Callable[[Loss], None] | None = None,
    summary: Summary | None = None,
) -> Iterator[bytes]:
    """Yields the records of a container: of bytes, of a file, or of an iterable of bytes.

    fingerprints are the schemas that the decoder of the records reads: the FINGERPRINT of its
    module, and those of older schemas that "hone schema check" accepts. None accepts every schema. Parts of a
    damaged container are passed to on_loss, and reading continues; without on_loss the first one
    is raised as a LossError. summary gets the header and the sums.
    """
    s = _Scanner(fingerprints, compressions, limit, on_loss, summary or Summary())
    return _drive(s.w, s.run(), source)


def aread_container(
    source: AsyncIterable[bytes],
    *,
    fingerprints: Iterable[bytes] | None,
    compressions: Iterable[Compression] = (GZIP,),
    limit: int = DEFAULT_LIMIT,
    on_loss: Callable[[Loss], None] | None = None,
    summary: Summary | None = None,
) -> AsyncIterator[bytes]:
    """Is read_container for an asynchronous iterable."""
    s = _Scanner(fingerprints, compressions, limit, on_loss, summary or Summary())
    return _adrive(s.w, s.run(), source)


class ContainerWriter:
    """Writes a container to a file. fingerprint is the FINGERPRINT of the module whose encode makes the
    records. schema is the JSON of "hone schema export", by which newer programs read the
    records; it may be empty. A with statement closes the container, but not the file.
    """

    def __init__(
        self,
        out: Writable,
        *,
        fingerprint: bytes,
        schema: bytes = b"",
        block_size: int = 64 << 10,
        compression: Compression | None = None,
        marker: bytes | None = None,
    ) -> None:
        _check_bytes("fingerprint", fingerprint)
        _check_bytes("schema", schema)  # the length of a str is not its length in bytes
        if marker is not None:
            _check_bytes("marker", marker)
        self._out, self._size, self._compression = out, block_size, compression
        self._marker = os.urandom(_MARKER) if marker is None else marker
        self._records = bytearray()
        self._block = _Block(0, 0, 0, 0, 0)
        self._closed = False
        out.write(Header(self._marker, fingerprint, compression.name if compression else "", schema)._copies())

    def write(self, record: bytes) -> None:
        """Adds a record, which is a result of encode, to the block, and writes the block if it is full."""
        if self._closed:
            raise ContainerError("the container is closed")
        if len(record) > DEFAULT_LIMIT:
            raise ContainerError(f"a record of {len(record)} bytes is longer than {DEFAULT_LIMIT}")
        n, head = len(record), bytearray()
        while n > 0x7F:
            head.append(n & 0x7F | 0x80)
            n >>= 7
        head.append(n)
        if self._records and len(self._records) + len(head) + len(record) > self._size:
            self.flush()
        self._records += head + record
        self._block.count += 1
        if len(self._records) >= self._size:
            self.flush()

    def flush(self) -> None:
        """Writes the records since the last block as a block."""
        if self._records:
            self._emit()

    def close(self) -> None:
        """Flushes, and writes the closing block, which marks the container as complete."""
        if self._closed:
            return
        self.flush()
        self._emit()
        self._closed = True

    def _emit(self) -> None:
        data, b = bytes(self._records), self._block
        b.size, stored = len(data), data
        if self._compression is not None and data:
            packed = self._compression.compress(data)
            if len(packed) < len(data):
                stored = packed
        b.length = len(stored)
        head = b.head(self._marker)
        crc = crc32c(head)
        self._out.write(head + struct.pack("<I", crc) + stored + struct.pack("<I", crc32c(stored, crc)))
        self._records.clear()
        self._block = _Block(b.number + 1, b.first + b.count, 0, 0, 0)

    def __enter__(self) -> ContainerWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()
