import * as wire from "./hone-wire.js";
import { AppUser, Order, PageUser, decode, encode, fingerprint } from "./sample.js";

declare const console: { log(...args: unknown[]): void };

const hex = (b: Uint8Array) => Array.from(b, (c) => c.toString(16).padStart(2, "0")).join("");

function attempt(what: string, f: () => unknown): void {
  try {
    console.log(what, "gives", f());
  } catch (error) {
    console.log(what, error instanceof wire.WireError ? `fails: ${error.message}` : `breaks: ${error}`);
  }
}

const order: Order = {
  ...Order.zero(),
  id: 2n ** 64n - 1n,
  customer: { name: "Größe" },
  items: [{ sku: "a", price: 1.5, count: -3 }],
  class: { case: "value", value: "first" },
  from: wire.Time.fromDate(new Date("2024-02-29T23:59:59.250Z")),
  labels: new Map([["k", "v"]]),
  points: [[[1, -1], true]],
  figure: { case: "geo.Group", value: [{ case: "geo.Circle", value: { r: 0.5 } }, null] },
  body: wire.Raw.of(PageUser, { items: [{ name: "x" }], next: null }),
  tree: new Map([["a", new Map([["b", new Map()]])]]),
  total: -(10n ** 20n),
  pair: [{ some: null }, { some: true }],
  took: 1_500_000_000n,
  unknown: Uint8Array.of(1, 2, 3),
};
const bytes = encode(order);
console.log(hex(bytes));
console.log(fingerprint, bytes.length, hex(encode(decode(bytes))) === hex(bytes));

const back = decode(bytes);
console.log(back.id, back.customer.name, back.seller === null, back.items[0]?.price, String(back.from), back.labels.get("k"));
if (back.class.case === "value") console.log(back.class.value);
if (back.figure?.case === "geo.Group") console.log(back.figure.value.length);
console.log(back.body.decode().items[0]?.name, back.from.toDate().getTime(), hex(back.unknown), back.total);

// A version that knew two fields wrote this.
const old = decode(Uint8Array.of(3, 5, 1, 0x41));
console.log(old.id, old.customer.name, old.items.length, String(old.from), old.class.case, old.pair.length);

attempt("nothing", () => decode(new Uint8Array(0)));
attempt("a cut", () => decode(bytes.subarray(0, 40)));
attempt("something behind", () => decode(Uint8Array.of(...bytes, 0)));
attempt("a flag of 2", () => decode(Uint8Array.of(4, 5, 1, 0x41, 2)));
attempt("a number that is too large", () => encode({ ...order, items: [{ sku: "a", price: 0, count: 2 ** 31 }] }));
attempt("a fraction", () => encode({ ...order, items: [{ sku: "a", price: 0, count: 0.5 }] }));
attempt("65 bits", () => encode({ ...order, id: 2n ** 64n }));
attempt("a key twice", () => encode({ ...order, points: [[[1, 1], true], [[1, 1], false]] }));
attempt("three elements", () => encode({ ...order, pair: [null, null, null] }));
attempt("a case that is none", () => encode({ ...order, figure: { case: "geo.Square" } as never }));
attempt("no text", () => encode({ ...order, url: 5 as never }));
attempt("half a surrogate pair", () => encode({ ...order, url: "\ud800" }));
const cycle: PageUser = { items: [], next: null };
cycle.next = cycle;
try {
  PageUser.encode(cycle);
} catch (error) {
  if (error instanceof wire.WireError) console.log("a cycle fails:", error.reason);
}

const stream = Uint8Array.of(...wire.record(AppUser.encode({ name: "a" })), ...wire.record(AppUser.encode({ name: "b" })));
console.log(Array.from(wire.records(stream), (one) => AppUser.decode(one).name).join(" "));
attempt("a record cut short", () => [...wire.records(stream.subarray(0, 2))].length);
