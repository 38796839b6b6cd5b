// Reads {module, root, bytes} from the standard input, and writes for each what the generated
// module makes of the bytes: the value as JSON, as docs/wire-schema.md has it, and the bytes
// that it is written as; or the error.
import { readFileSync } from "node:fs";
import * as wire from "./hone-wire.js";

const base64 = (b: Uint8Array) => JSON.stringify(Buffer.from(b).toString("base64"));
const wellFormed = (s: string) => !/\p{Surrogate}/u.test(s);

function text(s: string): string {
  return wellFormed(s) ? JSON.stringify(s) : `{"base64":${base64(wire.string("u32le").encode(s).subarray(4))}}`;
}

function integer(v: bigint): string {
  return v >= -(2n ** 53n) + 1n && v <= 2n ** 53n - 1n ? String(v) : `"${v}"`;
}

function bigint(v: bigint): string {
  const magnitude = v < 0n ? -v : v;
  if (magnitude < 2n ** 64n) return integer(v);
  const digits = magnitude.toString(16);
  return `"${v < 0n ? "-" : ""}0x${digits.length % 2 ? "0" : ""}${digits}"`;
}

function float(v: number): string {
  if (v !== v) return '"NaN"';
  if (!Number.isFinite(v)) return v > 0 ? '"Infinity"' : '"-Infinity"';
  if (Object.is(v, -0)) return "-0.0";
  return String(v);
}

function time(v: wire.Time, layout: boolean): string {
  if (layout && v.zone === "named" && wellFormed(v.name)) return JSON.stringify(`${new wire.Time(v.seconds, v.nanoseconds)}[${v.name}]`);
  const local = v.seconds + BigInt(v.offset);
  const inText = local >= -62167219200n && local <= 253402300799n && v.offset % 60 === 0 && Math.abs(v.offset) < 86400;
  if (!layout && inText && wellFormed(v.name) || v.zone === "utc" && inText) return JSON.stringify(String(v));
  const members = [`"seconds":${integer(v.seconds)}`, `"nanoseconds":${v.nanoseconds}`];
  if (v.zone !== "utc" && !layout) members.push(`"offset":${v.offset}`);
  if (v.zone === "named") members.push(`"name":${text(v.name)}`);
  return `{${members.join(",")}}`;
}

/** Names fields as the JSON of values does. */
function names(fields: any[]): string[] {
  const present = fields.filter((f) => f.removed === undefined).map((f) => f.name);
  return fields.map((f, i) => (f.name === "" || f.name[0] === "#" || present.indexOf(f.name) !== present.lastIndexOf(f.name) ? "#" + i : f.name));
}

const resolve = (c: any): any => (c.constructor.name === "Lazy" ? resolve(c.to()) : c);

/** Shows what is there where null would be nothing. */
function present(elem: any, v: any): string {
  const c = resolve(elem);
  if (c.constructor.name === "SomeCodec") return `{"some":${show(c.elem, v.some)}}`;
  if (["Optional", "RawCodec", "Skip"].includes(c.constructor.name) || (c.constructor.name === "Union" && c.tag === "uvarint")) {
    return `{"some":${show(c, v)}}`;
  }
  return show(c, v);
}

function show(codec: any, v: any): string {
  const c = resolve(codec);
  switch (c.constructor.name) {
    case "Bool":
    case "Narrow": return String(v);
    case "Wide": return integer(v);
    case "BigInteger": return bigint(v);
    case "Float": return float(v);
    case "ComplexCodec": return `[${float(v.re)},${float(v.im)}]`;
    case "Text": return text(v);
    case "Bytes": return base64(v);
    case "Skip": return "null";
    case "TimeCodec": return time(v, false);
    case "LayoutTime": return time(v, true);
    case "List":
    case "Fixed": return `[${v.map((one: any) => show(c.elem, one)).join(",")}]`;
    case "MapCodec":
    case "Pairs": {
      const entries = [...v];
      const object = ["Bool", "Narrow", "Wide", "Text"].includes(resolve(c.keys).constructor.name);
      if (!object || entries.some(([k]) => !wellFormed(String(k)))) return `[${entries.map(([k, e]) => `[${show(c.keys, k)},${show(c.elem, e)}]`).join(",")}]`;
      return `{${entries.map(([k, e]) => `${JSON.stringify(String(k))}:${show(c.elem, e)}`).join(",")}}`;
    }
    case "Optional": return v === null ? "null" : present(c.elem, v);
    case "RawCodec": return v.bytes.length === 0 ? "null" : present(c.elem, v.decode());
    case "Union": {
      if (v === null) return "null";
      const follows = c.named(v.case)[2];
      return follows === undefined ? JSON.stringify(v.case) : `{${JSON.stringify(v.case)}:${show(follows, v.value)}}`;
    }
    case "Struct": {
      const fields = c.fields();
      const called = names(fields);
      const members: string[] = [];
      fields.forEach((f: any, i: number) => {
        if (f.property !== undefined) members.push(`${JSON.stringify(called[i])}:${show(f.codec, v[f.property])}`);
      });
      if (c.unknown !== undefined && v[c.unknown.property].length > 0) members.push(`${JSON.stringify(c.unknown.name)}:${base64(v[c.unknown.property])}`);
      return `{${members.join(",")}}`;
    }
  }
  throw new Error("no JSON for " + c.constructor.name);
}

const out: unknown[] = [];
for (const { module, root, bytes } of JSON.parse(readFileSync(0, "utf8"))) {
  const generated = await import(`./${module}.js`);
  try {
    const v = generated.decode(Buffer.from(bytes, "hex"));
    const back = Buffer.from(generated.encode(v)).toString("hex");
    let json: string;
    try {
      json = show(generated[root], v);
    } catch (error) {
      json = JSON.stringify(`no JSON: ${error}`);
    }
    out.push({ bytes: back, json });
  } catch (error) {
    if (error instanceof wire.WireError) out.push({ reason: error.reason, offset: error.offset, path: error.path, message: error.message });
    else out.push({ reason: String((error as Error).stack) });
  }
}
console.log(JSON.stringify(out));
