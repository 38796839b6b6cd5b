"""Uses the containers wrongly, and prints the error of each use."""

import io

from hone_stream import ContainerWriter, aread_container, read_container

ONE = bytes(8)


def writing(**arguments):
    out = io.BytesIO()
    try:
        ContainerWriter(out, **arguments)
    finally:
        assert out.getvalue() == b"", "a part of a header was written"


for name, use in {
    "schema is str": lambda: writing(fingerprint=ONE, schema='{"ü": 1}'),
    "fingerprint is str": lambda: writing(fingerprint="0123456789abcdef"),
    "fingerprint is None": lambda: writing(fingerprint=None),
    "fingerprint is short": lambda: writing(fingerprint=b"1234"),
    "marker is str": lambda: writing(fingerprint=ONE, marker="0123456789abcdef"),
    "fingerprints is bytes": lambda: read_container(b"", fingerprints=ONE),
    "fingerprints is str": lambda: read_container(b"", fingerprints="0123456789abcdef"),
    "fingerprints has str": lambda: read_container(b"", fingerprints=["0123456789abcdef"]),
    "fingerprints has a short one": lambda: read_container(b"", fingerprints=[b"1234"]),
    "fingerprints is missing": lambda: read_container(b""),
    "asynchronous": lambda: aread_container(None, fingerprints=ONE),
}.items():
    try:
        use()
        print(f"{name}: no error")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
