import datetime

import hone_wire as wire
from sample import FINGERPRINT, AppUser, Order, OrderItemsItem, PageUser, ShapeCircle, decode, encode


def show(*values):
    print(*(str(v).lower() if isinstance(v, bool) else v for v in values))


def attempt(what, f):
    try:
        print(what, "gives", f())
    except wire.WireError as error:
        print(what, "fails:", error)


order = Order(
    id=2**64 - 1,
    customer=AppUser("Größe"),
    items=[OrderItemsItem("a", 1.5, -3)],
    class_=wire.Case("value", "first"),
    from_=wire.Time.from_datetime(datetime.datetime(2024, 2, 29, 23, 59, 59, 250000, datetime.timezone.utc)),
    labels={"k": "v"},
    points=[([1, -1], True)],
    figure=wire.Case("geo.Group", [wire.Case("geo.Circle", ShapeCircle(0.5)), None]),
    body=wire.Raw.of(PageUser.codec, PageUser([AppUser("x")])),
    tree={"a": {"b": {}}},
    total=-(10**20),
    pair=[wire.Some(None), wire.Some(True)],
    took=1_500_000_000,
    unknown=bytes([1, 2, 3]),
)
data = encode(order)
print(data.hex())
show(FINGERPRINT.hex(), len(data), encode(decode(data)) == data and decode(data) == order)

back = decode(data)
show(str(back.id) + "n", back.customer.name, back.seller is None, back.items[0].price, "2024-02-29T23:59:59.25Z", back.labels["k"])
assert back.from_.to_datetime() == datetime.datetime(2024, 2, 29, 23, 59, 59, 250000, datetime.timezone.utc)
match back.class_:
    case wire.Case("value", text):
        print(text)
match back.figure:
    case wire.Case("geo.Group", shapes):
        print(len(shapes))
show(back.body.decode().items[0].name, int(back.from_.to_datetime().timestamp() * 1000), back.unknown.hex(), str(back.total) + "n")

# A version that knew two fields wrote this.
old = decode(bytes([3, 5, 1, 0x41]))
show(str(old.id) + "n", old.customer.name, len(old.items), "0001-01-01T00:00:00Z" if old.from_ == wire.Time() else old.from_, old.class_.case, len(old.pair))


def changed(**values):
    out = decode(data)
    for name, value in values.items():
        setattr(out, name, value)
    return lambda: encode(out)


attempt("nothing", lambda: decode(b""))
attempt("a cut", lambda: decode(data[:40]))
attempt("something behind", lambda: decode(data + b"\0"))
attempt("a flag of 2", lambda: decode(bytes([4, 5, 1, 0x41, 2])))
attempt("a number that is too large", changed(items=[OrderItemsItem("a", 0, 2**31)]))
attempt("a fraction", changed(items=[OrderItemsItem("a", 0, 0.5)]))
attempt("65 bits", changed(id=2**64))
attempt("a key twice", changed(points=[([1, 1], True), ([1, 1], False)]))
attempt("three elements", changed(pair=[None, None, None]))
attempt("a case that is none", changed(figure=wire.Case("geo.Square")))
attempt("no text", changed(url=5))
attempt("half a surrogate pair", changed(url="\ud800"))
cycle = PageUser()
cycle.next = cycle
try:
    PageUser.codec.encode(cycle)
except wire.WireError as error:
    print("a cycle fails:", error.reason)

stream = wire.record(AppUser.codec.encode(AppUser("a"))) + wire.record(AppUser.codec.encode(AppUser("b")))
print(" ".join(AppUser.codec.decode(one).name for one in wire.records(stream)))
attempt("a record cut short", lambda: len(list(wire.records(stream[:2]))))
