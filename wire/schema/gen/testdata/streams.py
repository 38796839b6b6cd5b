"""Does what streams.ts does, with the module in Python."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from typing import Any, AsyncIterator, Iterator

from hone_stream import (
    GZIP, ContainerError, ContainerWriter, Loss, LossError, Source, StreamError, Summary, aread_container, aread_records, read_container,
    read_records,
)


def cut(b: bytes, size: int) -> Iterator[bytes]:
    for i in range(0, len(b), size):
        yield b[i : i + size]


async def acut(b: bytes, size: int) -> AsyncIterator[bytes]:
    for one in cut(b, size):
        yield one


def event(loss: Loss) -> dict[str, object]:
    return {"cause": loss.cause, "offset": loss.offset, "bytes": loss.size, "blocks": loss.blocks, "records": loss.records}


def one(v: dict[str, Any]) -> dict[str, object]:
    data = bytes.fromhex(v["bytes"])
    accepted = [bytes.fromhex(v["fingerprint"])]
    results: list[dict[str, object]] = []
    records: list[bytes] = []
    sources: list[Source] = [data, io.BytesIO(data), cut(data, 7), [data]]
    for source in sources:
        events: list[dict[str, object]] = []
        summary = Summary()
        records = []
        for record in read_container(source, fingerprints=accepted, on_loss=lambda loss: events.append(event(loss)), summary=summary):
            events.append({"record": record.hex()})
            records.append(record)
        results.append({"events": events, "closed": summary.closed})

    async def late() -> dict[str, object]:
        events: list[dict[str, object]] = []
        summary = Summary()
        async for record in aread_container(acut(data, 11), fingerprints=None, on_loss=lambda loss: events.append(event(loss)), summary=summary):
            events.append({"record": record.hex()})
        return {"events": events, "closed": summary.closed}

    results.append(asyncio.run(late()))
    written = ""
    if "writing" in v:
        out = io.BytesIO()
        w = v["writing"]
        with ContainerWriter(out, fingerprint=accepted[0], marker=bytes.fromhex(w["marker"]), schema=w.get("schema", "").encode(), block_size=w["blockSize"]) as writer:
            for record in records:
                writer.write(record)
        written = out.getvalue().hex()
    thrown = False
    try:
        for _ in read_container(data, fingerprints=None):
            pass
    except LossError:
        thrown = True
    return {**results[0], "same": all(r == results[0] for r in results), "written": written, "thrown": thrown}


def main() -> None:
    out = [one(v) for v in json.load(sys.stdin)["containers"]]
    parts: list[bytes] = []

    class Parts:
        def write(self, data: bytes, /) -> None:
            parts.append(data)

    with ContainerWriter(Parts(), fingerprint=bytes.fromhex("0123456789abcdef"), compression=GZIP, block_size=500) as w:
        for i in range(300):
            w.write(bytes([i & 0xFF, 1, 2, 3]))
    count = 0
    for record in read_container(parts, fingerprints=[bytes.fromhex("0123456789abcdef")]):
        count += record[0] == count & 0xFF
    notes = [f"{count} records, {len(parts)} parts"]
    others: list[tuple[str, Source]] = [("another schema", parts), ("a text", [b"text"]), ("nothing", [])]
    for name, source in others:
        try:
            for _ in read_container(source, fingerprints=[bytes.fromhex("fedcba9876543210")]):
                pass
            notes.append(name + ": is read")
        except ContainerError as error:
            notes.append(f"{name}: {error}")
    for name, text in (
        ("whole", "0201610000"), ("torn", "020161056263"), ("a torn length", "02016183"), ("a bad length", "02016183000201"),
        ("over the limit", "0c" + "78" * 12 + "020162"),
    ):
        lines: list[str] = []
        try:
            for record in read_records(cut(bytes.fromhex(text), 2), limit=9, on_skip=lambda e: lines.append(str(e))):
                lines.append(record.hex())
        except StreamError as error:
            lines.append(f"{error.reason} {error}")

        async def late() -> list[str]:
            got: list[str] = []
            try:
                async for record in aread_records(acut(bytes.fromhex(text), 3), limit=9, on_skip=lambda e: got.append(str(e))):
                    got.append(record.hex())
            except StreamError as error:
                got.append(f"{error.reason} {error}")
            return got

        if asyncio.run(late()) != lines:
            notes.append(name + ": the asynchronous reader differs")
        notes.append(f"{name}: {'; '.join(lines)}")
    print(json.dumps({"containers": out, "notes": notes}))


main()
