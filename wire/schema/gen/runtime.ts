/*
 * The codecs of Hone's wire format, which modules made by "hone gen -ts" use.
 *
 * A Codec reads and writes one type. The codecs of simple types are constants such as bool
 * and int32; functions such as list and optional make codecs of codecs. The format is
 * described in docs/wire-format.md of Hone, and this file follows it from top to bottom:
 * building blocks, simple types, times, lists and maps, one of several, structs.
 *
 * The input may be hostile. For every input, decode returns a value or throws a
 * WireError. Limits bound the depth and the memory of a value.
 */

/** The reason why bytes cannot be read, or why a value cannot be written. */
export type Reason =
  | "truncated" | "trailing" | "overflow" | "nonminimal" | "flag" | "duplicate" | "time" | "depth" | "tag"
  | "unregistered" | "number" | "canonical" | "unsorted" | "limit" | "value";

const sentences: Record<Reason, string> = {
  truncated: "the bytes end too early",
  trailing: "bytes after the end of the value",
  overflow: "a number or a length that does not fit",
  nonminimal: "a number that is not in its shortest form",
  flag: "a byte that must be 0 or 1 is neither",
  duplicate: "a map key that comes twice",
  time: "not a time",
  depth: "nested too deeply",
  tag: "an id that no case has",
  unregistered: "an id that no registered type has",
  number: "not an integer in its shortest form",
  canonical: "not the canonical form",
  unsorted: "map keys that are not in order",
  limit: "more memory than so many bytes may take",
  value: "a value that this type does not have",
};

/** The only error that codecs throw. */
export class WireError extends Error {
  override name = "WireError";
  /** The path of the value, such as ".Items[3].Price"; "" for the root. */
  path = "";
  /** The offset of the fault in the input, or undefined for an error of encode. */
  constructor(readonly reason: Reason, readonly offset?: number) {
    super((offset === undefined ? "" : `byte ${offset}: `) + sentences[reason]);
  }
  /** Prepends a step to the path. The innermost value is the first caller. */
  within(step: string): this {
    this.path = step + this.path;
    return this;
  }
  /** Completes the message when the path is known. */
  done(): this {
    const words = [sentences[this.reason]];
    if (this.path !== "") words.unshift(this.path.slice(0, 256));
    if (this.offset !== undefined) words.unshift("byte " + this.offset);
    this.message = words.join(": ");
    return this;
  }
}

function at(error: unknown, step: string): unknown {
  return error instanceof WireError ? error.within(step) : error;
}

/** The limits of decode and encode. Each has a default. */
export interface Limits {
  /** Each value has one encoding only, if the mode of the schema is canonical; see the format. */
  canonical?: boolean;
  /** The maximum number of levels that a value may nest; the default is 1,000. */
  depth?: number;
  /** The maximum memory of a value, counted as in Go; the default is 64 KiB plus 256 bytes for each byte of input. */
  memory?: number;
}

/** The encoding of the length of a string, a list or a map. */
export type Length =
  | "uvarint" | "u8" | "i8" | "u16le" | "u16be" | "i16le" | "i16be" | "u32le" | "u32be" | "i32le" | "i32be"
  | "u64le" | "u64be" | "i64le" | "i64be";

// Building blocks

/** The input of decode, with a position. */
export class Reader {
  pos = 0;
  end: number; // the end of the input, of an evolving struct or of a raw value
  readonly view: DataView;
  canonical: boolean;
  depth: number;
  memory: number;

  constructor(readonly bytes: Uint8Array, limits: Limits = {}) {
    this.end = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.canonical = limits.canonical ?? false;
    this.depth = limits.depth ?? 1000;
    this.memory = limits.memory ?? 65536 + 256 * bytes.length;
  }

  fault(reason: Reason, offset = this.pos): WireError {
    return new WireError(reason, offset);
  }

  /** Counts a level of nesting. leave uncounts it. */
  enter(): void {
    if (this.depth-- === 0) throw this.fault("depth");
  }
  leave(): void {
    this.depth++;
  }

  /** Counts the memory of n values of size bytes, before it is allocated. */
  take(n: number, size: number): void {
    this.memory -= n * size;
    if (this.memory < 0) throw this.fault("limit");
  }

  /** Checks that n bytes are left, moves past them, and returns the offset of the first. */
  skip(n: number): number {
    if (n > this.end - this.pos) throw this.fault("truncated", this.end);
    this.pos += n;
    return this.pos - n;
  }

  byte(): number {
    return this.view.getUint8(this.skip(1));
  }

  flag(): boolean {
    const b = this.byte();
    if (b > 1) throw this.fault("flag", this.pos - 1);
    return b === 1;
  }

  /** Reads a uvarint. The result is a number below 2^49, and a bigint from 2^49 on. */
  uvarint(): number | bigint {
    const from = this.pos;
    let value = 0;
    let scale = 1;
    for (let n = 0; n < 7; n++) {
      const b = this.byte();
      if (b === 0 && n > 0) throw this.fault("nonminimal", from);
      if (b < 0x80) return value + b * scale;
      value += (b & 0x7f) * scale;
      scale *= 0x80;
    }
    let wide = BigInt(value);
    for (let shift = 49n; ; shift += 7n) {
      const b = this.byte();
      if (b === 0) throw this.fault("nonminimal", from);
      if (shift === 63n && b > 1) throw this.fault("overflow", from);
      wide |= BigInt(b & 0x7f) << shift;
      if (b < 0x80) return wide;
    }
  }

  varint(): number | bigint {
    const v = this.uvarint();
    if (typeof v === "bigint") return v & 1n ? -(v >> 1n) - 1n : v >> 1n;
    return v % 2 === 1 ? -(v + 1) / 2 : v / 2;
  }

  /** Reads an integer of the given number of bits. */
  fixed(bits: number, signed: boolean, little: boolean): number | bigint {
    const p = this.skip(bits / 8);
    switch (bits) {
      case 8: return signed ? this.view.getInt8(p) : this.view.getUint8(p);
      case 16: return signed ? this.view.getInt16(p, little) : this.view.getUint16(p, little);
      case 32: return signed ? this.view.getInt32(p, little) : this.view.getUint32(p, little);
      default: return signed ? this.view.getBigInt64(p, little) : this.view.getBigUint64(p, little);
    }
  }

  /** Reads a length, and checks that the rest of the input has room for so many parts of at least least bytes. */
  length(form: Length, least: number): number {
    const from = this.pos;
    const n = form === "uvarint" ? this.uvarint() : this.fixed(parseInt(form.slice(1)), form[0] === "i", !form.endsWith("be"));
    if (n < 0) throw this.fault("overflow", from);
    if (least > 0 && n > (this.end - this.pos) / least) throw this.fault("truncated", this.end);
    if (n > Number.MAX_SAFE_INTEGER) throw this.fault("overflow", from);
    return Number(n);
  }

  /** Reads a length, and returns a view of so many bytes of the input. */
  block(form: Length): Uint8Array {
    const n = this.length(form, 1);
    const p = this.skip(n);
    return this.bytes.subarray(p, p + n);
  }
}

/** The output of encode. */
export class Writer {
  bytes = new Uint8Array(64);
  view = new DataView(this.bytes.buffer);
  pos = 0;
  canonical: boolean;
  depth: number;

  constructor(limits: Limits = {}) {
    this.canonical = limits.canonical ?? false;
    this.depth = limits.depth ?? 1000;
  }

  enter(): void {
    if (this.depth-- === 0) throw new WireError("depth");
  }
  leave(): void {
    this.depth++;
  }

  /** Makes room for n bytes and returns the offset of the first. */
  room(n: number): number {
    if (this.pos + n > this.bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.pos + n));
      grown.set(this.bytes.subarray(0, this.pos));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    this.pos += n;
    return this.pos - n;
  }

  byte(b: number): void {
    const p = this.room(1); // which may make another view
    this.view.setUint8(p, b);
  }

  raw(b: Uint8Array): void {
    const p = this.room(b.length);
    this.bytes.set(b, p);
  }

  uvarint(v: number | bigint): void {
    if (typeof v === "bigint" && v > 0xffffffffffffn) {
      for (; v > 0x7fn; v >>= 7n) this.byte(Number(v & 0x7fn) | 0x80);
      this.byte(Number(v));
      return;
    }
    let n = Number(v);
    for (; n > 0x7f; n = Math.floor(n / 0x80)) this.byte(n % 0x80 | 0x80);
    this.byte(n);
  }

  varint(v: number | bigint): void {
    if (typeof v === "bigint") this.uvarint(v < 0n ? -2n * v - 1n : 2n * v);
    else this.uvarint(v < 0 ? -2 * v - 1 : 2 * v);
  }

  fixed(v: number | bigint, bits: number, little: boolean): void {
    const p = this.room(bits / 8);
    switch (bits) {
      case 8: this.view.setUint8(p, Number(v)); break;
      case 16: this.view.setUint16(p, Number(v), little); break;
      case 32: this.view.setUint32(p, Number(v), little); break;
      default: this.view.setBigUint64(p, BigInt.asUintN(64, BigInt(v)), little);
    }
  }

  length(n: number, form: Length): void {
    if (form === "uvarint") return this.uvarint(n);
    const bits = parseInt(form.slice(1));
    if (n >= 2 ** (form[0] === "i" ? bits - 1 : bits)) throw new WireError("overflow");
    this.fixed(n, bits, !form.endsWith("be"));
  }

  block(b: Uint8Array, form: Length): void {
    this.length(b.length, form);
    this.raw(b);
  }

  /** Inserts a length before the bytes that were written since start. */
  measure(start: number, form: Length): void {
    const held = this.bytes.slice(start, this.pos);
    this.pos = start;
    this.block(held, form);
  }
}

/** A Codec reads and writes the values of one type. */
export abstract class Codec<T> {
  /** Reports whether the encoding of every value is empty. Otherwise every encoding has at least one byte. */
  get empty(): boolean {
    return false;
  }
  /** The minimum memory of a value in Go, which Limits.memory counts. */
  get size(): number {
    return 1;
  }
  abstract read(r: Reader): T;
  abstract write(w: Writer, v: T): void;
  /** Moves past a value, and examines it only as far as necessary to find its end. */
  abstract skip(r: Reader): void;
  /** The value of a field that was not written: 0, "", an empty list, null and so on. */
  abstract zero(): T;
  /** Returns a text that is the same for equal keys of a map; undefined for a key that is not equal to any other. */
  key(_: T): string | undefined {
    throw new WireError("value");
  }

  /** Returns the value whose encoding is bytes. */
  decode(bytes: Uint8Array, limits: Limits = {}): T {
    const r = new Reader(bytes, limits);
    try {
      const v = this.read(r);
      if (r.pos < r.end) throw r.fault("trailing");
      return v;
    } catch (error) {
      throw error instanceof WireError ? error.done() : error;
    }
  }

  /** Returns the encoding of v. */
  encode(v: T, limits: Limits = {}): Uint8Array {
    const w = new Writer(limits);
    try {
      this.write(w, v);
      return w.bytes.slice(0, w.pos);
    } catch (error) {
      throw error instanceof WireError ? error.done() : error;
    }
  }
}

// Simple types

class Bool extends Codec<boolean> {
  read(r: Reader) { return r.flag(); }
  write(w: Writer, v: boolean) {
    if (typeof v !== "boolean") throw new WireError("value");
    w.byte(v ? 1 : 0);
  }
  skip(r: Reader) { r.skip(1); }
  zero() { return false; }
  override key(v: boolean) { return String(v); }
}

type Coding = "varint" | "little" | "big";

/** An integer of 8, 16 or 32 bits is a number; wide is set for 64 bits, which are bigints. */
abstract class Integer<T extends number | bigint> extends Codec<T> {
  constructor(readonly signed: boolean, readonly bits: number, readonly coding: Coding) { super(); }
  override get size() { return this.bits / 8; }
  protected number(r: Reader): number | bigint {
    if (this.coding !== "varint") return r.fixed(this.bits, this.signed, this.coding === "little");
    const from = r.pos;
    const v = this.signed ? r.varint() : r.uvarint();
    if (!this.fits(v)) throw r.fault("overflow", from);
    return v;
  }
  private fits(v: number | bigint): boolean {
    if (this.bits === 64) return true; // as a uvarint does
    const half = 2 ** (this.bits - 1);
    return this.signed ? -half <= v && v < half : 0 <= v && v < 2 * half;
  }
  write(w: Writer, v: T) {
    const whole = this.bits === 64 ? typeof v === "bigint" : Number.isInteger(v);
    if (!whole) throw new WireError("value");
    if (this.bits === 64 ? v !== (this.signed ? BigInt.asIntN : BigInt.asUintN)(64, BigInt(v)) : !this.fits(v)) {
      throw new WireError("overflow");
    }
    if (this.coding !== "varint") w.fixed(v, this.bits, this.coding === "little");
    else if (this.signed) w.varint(v);
    else w.uvarint(v);
  }
  skip(r: Reader) {
    if (this.coding === "varint") r.uvarint();
    else r.skip(this.bits / 8);
  }
  override key(v: T) { return String(v); }
}

class Narrow extends Integer<number> {
  read(r: Reader) { return Number(this.number(r)); }
  zero() { return 0; }
}

class Wide extends Integer<bigint> {
  read(r: Reader) { return BigInt(this.number(r)); }
  zero() { return 0n; }
}

/** An integer of any length. */
class BigInteger extends Codec<bigint> {
  override get size() { return 32; }
  read(r: Reader) {
    const from = r.pos;
    const b = r.block("uvarint");
    const sign = b[0];
    if (sign === undefined || sign > 1 || b[1] === 0 || (sign === 1 && b.length === 1)) throw r.fault("number", from);
    const v = b.length === 1 ? 0n : BigInt("0x" + hex(b.subarray(1)));
    return sign === 1 ? -v : v;
  }
  write(w: Writer, v: bigint) {
    if (typeof v !== "bigint") throw new WireError("value");
    let digits = v === 0n ? "" : (v < 0n ? -v : v).toString(16);
    if (digits.length % 2 === 1) digits = "0" + digits;
    w.block(unhex((v < 0n ? "01" : "00") + digits), "uvarint");
  }
  skip(r: Reader) { r.block("uvarint"); }
  zero() { return 0n; }
  override key(v: bigint) { return String(v); }
}

/** A number of 32 or 64 bits. All NaNs have the same encoding, because JavaScript does not distinguish them. */
class Float extends Codec<number> {
  constructor(readonly bits: 32 | 64, readonly little: boolean) { super(); }
  override get size() { return this.bits / 8; }
  read(r: Reader) {
    const p = r.skip(this.bits / 8);
    const v = this.bits === 32 ? r.view.getFloat32(p, this.little) : r.view.getFloat64(p, this.little);
    if (r.canonical && (Object.is(v, -0) || (v !== v && !this.isNaN(r, p)))) throw r.fault("canonical", p);
    return v;
  }
  /** Reports whether the bytes at p are the only NaN of the canonical form. */
  private isNaN(r: Reader, p: number) {
    if (this.bits === 32) return r.view.getUint32(p, this.little) === 0x7fc00000;
    return r.view.getBigUint64(p, this.little) === 0x7ff8000000000000n;
  }
  write(w: Writer, v: number) {
    if (typeof v !== "number") throw new WireError("value");
    if (this.bits === 32 && Number.isFinite(v) && !Number.isFinite(Math.fround(v))) throw new WireError("overflow");
    if (w.canonical && v === 0) v = 0; // -0 too
    const p = w.room(this.bits / 8);
    if (v !== v) {
      if (this.bits === 32) w.view.setUint32(p, 0x7fc00000, this.little);
      else w.view.setBigUint64(p, 0x7ff8000000000000n, this.little);
    } else if (this.bits === 32) w.view.setFloat32(p, v, this.little);
    else w.view.setFloat64(p, v, this.little);
  }
  skip(r: Reader) { r.skip(this.bits / 8); }
  zero() { return 0; }
  override key(v: number) { return v === v ? String(v) : undefined; } // String(-0) is "0"
}

/** A complex number. */
export interface Complex {
  re: number;
  im: number;
}

class ComplexCodec extends Codec<Complex> {
  constructor(readonly half: Float) { super(); }
  override get size() { return 2 * this.half.size; }
  read(r: Reader): Complex { return { re: this.half.read(r), im: this.half.read(r) }; }
  write(w: Writer, v: Complex) { this.half.write(w, v.re); this.half.write(w, v.im); }
  skip(r: Reader) { r.skip(this.half.bits / 4); }
  zero(): Complex { return { re: 0, im: 0 }; }
  override key(v: Complex) {
    const [re, im] = [this.half.key(v.re), this.half.key(v.im)];
    return re === undefined || im === undefined ? undefined : re + "," + im;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/**
 * A string. A string of Go need not be UTF-8: a byte that is not UTF-8 is read as a lone surrogate
 * from U+DC80 to U+DCFF, as in Python, and is written as the same byte.
 */
class Text extends Codec<string> {
  constructor(readonly form: Length) { super(); }
  override get size() { return 16; }
  read(r: Reader) {
    const b = r.block(this.form);
    try {
      return strict.decode(b);
    } catch {
      return escape(b);
    }
  }
  write(w: Writer, v: string) {
    if (typeof v !== "string") throw new WireError("value");
    w.block(/\p{Surrogate}/u.test(v) ? unescape(v) : utf8.encode(v), this.form);
  }
  skip(r: Reader) { r.block(this.form); }
  zero() { return ""; }
  override key(v: string) { return JSON.stringify(v); }
}

/** Returns the number of bytes of the character at b[i], or 0 if the bytes are not UTF-8. */
function character(b: Uint8Array, i: number): number {
  const lead = b[i] as number;
  const n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (let k = 1; k < n; k++) {
    const c = b[i + k] ?? 0;
    const least = k > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = k > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (c < least || c > most) return 0;
  }
  return n;
}

function escape(b: Uint8Array): string {
  let out = "";
  for (let i = 0, from = 0; i <= b.length; ) {
    const n = i < b.length ? character(b, i) : 0;
    if (n === 0) {
      out += strict.decode(b.subarray(from, i));
      if (i < b.length) out += String.fromCharCode(0xdc00 + (b[i] as number));
      from = i + 1;
    }
    i += n || 1;
  }
  return out;
}

function unescape(s: string): Uint8Array {
  const w = new Writer();
  for (const part of s.split(/(\p{Surrogate})/u)) {
    const c = part.charCodeAt(0);
    if (part.length !== 1 || c < 0xd800 || c > 0xdfff) w.raw(utf8.encode(part));
    else if (c >= 0xdc80 && c <= 0xdcff) w.byte(c - 0xdc00);
    else throw new WireError("value");
  }
  return w.bytes.slice(0, w.pos);
}

class Bytes extends Codec<Uint8Array> {
  /** isKey is set for bytes from a method of a Go type. They may be a key of a map, and plain bytes may not. */
  constructor(readonly form: Length, readonly isKey: boolean) { super(); }
  override get size() { return this.isKey ? 1 : 24; }
  read(r: Reader) { return r.block(this.form).slice(); }
  write(w: Writer, v: Uint8Array) {
    if (!(v instanceof Uint8Array)) throw new WireError("value");
    w.block(v, this.form);
  }
  skip(r: Reader) { r.block(this.form); }
  zero() { return new Uint8Array(0); }
  override key(v: Uint8Array) { return this.isKey ? hex(v) : super.key(v); }
}

function hex(b: Uint8Array): string {
  let out = "";
  for (const c of b) out += (c < 16 ? "0" : "") + c.toString(16);
  return out;
}

function unhex(s: string): Uint8Array {
  return Uint8Array.from({ length: s.length / 2 }, (_, i) => parseInt(s.slice(2 * i, 2 * i + 2), 16));
}

/** Bytes without a meaning. decode ignores them, and encode writes zeros. */
class Skip extends Codec<null> {
  constructor(readonly count: number) { super(); }
  override get empty() { return this.count === 0; }
  read(r: Reader) { r.skip(this.count); return null; }
  write(w: Writer, _: null) { const p = w.room(this.count); w.bytes.fill(0, p, w.pos); }
  skip(r: Reader) { r.skip(this.count); }
  zero() { return null; }
  override key() { return ""; }
}

// Times

/** An instant with nanoseconds, and the known properties of its zone. */
export class Time {
  constructor(
    /** The seconds since 1970-01-01 00:00:00 UTC. */
    readonly seconds: bigint,
    readonly nanoseconds: number = 0,
    /** "local" is the zone of the machine that wrote the time. */
    readonly zone: "utc" | "named" | "local" = "utc",
    /** The offset of a zone other than UTC at that time, in seconds east of UTC. */
    readonly offset: number = 0,
    /** The name of a named zone. */
    readonly name: string = "",
  ) {}

  /** Go's zero time, the start of the year 1. */
  static readonly zero = new Time(-62135596800n);

  static fromDate(d: Date): Time {
    const ms = BigInt(d.getTime());
    const rest = ((ms % 1000n) + 1000n) % 1000n;
    return new Time((ms - rest) / 1000n, Number(rest) * 1e6);
  }

  /** Returns the instant, cut to milliseconds: an invalid Date if it is too far away. */
  toDate(): Date {
    return new Date(Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1e6));
  }

  /** Returns the text of RFC 3339, with a zone's name in brackets, for the years 0 to 9999. */
  toString(): string {
    const local = this.seconds + BigInt(this.offset);
    if (local < -62167219200n || local > 253402300799n) return `${this.seconds}.${String(this.nanoseconds).padStart(9, "0")}s`;
    let s = new Date(Number(local) * 1000).toISOString().slice(0, 19);
    if (this.nanoseconds > 0) s += "." + String(this.nanoseconds).padStart(9, "0").replace(/0+$/, "");
    if (this.zone === "utc") return s + "Z";
    const minutes = Math.floor(Math.abs(this.offset) / 60);
    const two = (n: number) => String(n).padStart(2, "0");
    s += (this.offset < 0 ? "-" : "+") + two(Math.floor(minutes / 60)) + ":" + two(minutes % 60);
    return this.zone === "named" ? `${s}[${this.name}]` : s;
  }
}

const int32Most = 2 ** 31 - 1;
const zoneName = new Text("uvarint");

class TimeCodec extends Codec<Time> {
  override get size() { return 24; }
  read(r: Reader) {
    const from = r.pos;
    const seconds = BigInt(r.varint());
    let p = r.pos;
    const nanoseconds = r.uvarint();
    if (nanoseconds >= 1e9) throw r.fault("time", p);
    p = r.pos;
    const zone = r.byte();
    if (zone > 2) throw r.fault("time", p);
    if (zone === 0) return new Time(seconds, Number(nanoseconds));
    if (r.canonical) throw r.fault("canonical", from);
    const offset = Number(r.varint());
    if (offset > int32Most || offset < -int32Most - 1) throw r.fault("time", p);
    if (zone === 2) return new Time(seconds, Number(nanoseconds), "local", offset);
    return new Time(seconds, Number(nanoseconds), "named", offset, zoneName.read(r));
  }
  write(w: Writer, v: Time) {
    if (BigInt.asIntN(64, v.seconds) !== v.seconds || !Number.isInteger(v.nanoseconds) || v.nanoseconds < 0 || v.nanoseconds >= 1e9) {
      throw new WireError("time");
    }
    w.varint(v.seconds);
    w.uvarint(v.nanoseconds);
    if (w.canonical || v.zone === "utc") return w.byte(0);
    if (!Number.isInteger(v.offset) || v.offset > int32Most || v.offset < -int32Most - 1) throw new WireError("time");
    w.byte(v.zone === "named" ? 1 : 2);
    w.varint(v.offset);
    if (v.zone === "named") zoneName.write(w, v.name);
  }
  skip(r: Reader) {
    r.uvarint();
    r.uvarint();
    const zone = r.byte();
    if (zone !== 0) r.uvarint();
    if (zone === 1) r.block("uvarint");
  }
  zero() { return Time.zero; }
  override key(v: Time) { return JSON.stringify([String(v.seconds), v.nanoseconds, v.zone, v.offset, v.name]); }
}

const locationName = new Text("u8");

/** A time of a declared layout: its nanoseconds since 1970, perhaps with the name of its zone. */
class LayoutTime extends Codec<Time> {
  constructor(readonly location: boolean) { super(); }
  override get size() { return 24; }
  /** The number that represents the zero time, which does not fit. */
  private static readonly zeroNano = BigInt.asIntN(64, Time.zero.seconds * 1000000000n);
  read(r: Reader) {
    const nanos = r.fixed(64, true, true) as bigint;
    const rest = ((nanos % 1000000000n) + 1000000000n) % 1000000000n;
    const zero = nanos === LayoutTime.zeroNano;
    const seconds = zero ? Time.zero.seconds : (nanos - rest) / 1000000000n;
    const nanoseconds = zero ? 0 : Number(rest);
    if (!this.location || !r.flag()) return new Time(seconds, nanoseconds);
    return new Time(seconds, nanoseconds, "named", 0, locationName.read(r));
  }
  write(w: Writer, v: Time) {
    const zero = v.seconds === Time.zero.seconds && v.nanoseconds === 0;
    const nanos = v.seconds * 1000000000n + BigInt(v.nanoseconds);
    const fits = BigInt.asIntN(64, nanos) === nanos && nanos !== LayoutTime.zeroNano;
    if ((!fits && !zero) || v.zone === "local" || v.offset !== 0 || (v.zone === "named" && !this.location)) throw new WireError("time");
    w.fixed(nanos, 64, true);
    if (!this.location) return;
    w.byte(v.zone === "named" ? 1 : 0);
    if (v.zone === "named") locationName.write(w, v.name);
  }
  skip(r: Reader) {
    r.skip(8);
    if (this.location && r.flag()) r.block("u8");
  }
  zero() { return Time.zero; }
  override key(v: Time) {
    const name = v.name === "UTC" ? "" : v.name;
    return JSON.stringify([String(v.seconds), v.nanoseconds, name]);
  }
}

// Lists and maps

class List<T> extends Codec<T[]> {
  constructor(readonly form: Length, readonly elem: Codec<T>) { super(); }
  override get size() { return 24; }
  read(r: Reader) {
    r.enter();
    const n = r.length(this.form, this.elem.empty ? 0 : 1);
    r.take(n, this.elem.empty ? 8 : this.elem.size); // elements without bytes are counted too
    const out = readMany(r, this.elem, n);
    r.leave();
    return out;
  }
  write(w: Writer, v: T[]) {
    if (!Array.isArray(v)) throw new WireError("value");
    w.enter();
    w.length(v.length, this.form);
    writeMany(w, this.elem, v);
    w.leave();
  }
  skip(r: Reader) {
    r.enter();
    const n = r.length(this.form, 0);
    if (!this.elem.empty) for (let i = 0; i < n; i++) this.elem.skip(r);
    r.leave();
  }
  zero(): T[] { return []; }
}

class Fixed<T> extends Codec<T[]> {
  constructor(readonly count: number, readonly elem: Codec<T>) { super(); }
  override get empty() { return this.count === 0 || this.elem.empty; }
  override get size() { return this.count * this.elem.size; }
  read(r: Reader) {
    if (this.empty) r.take(this.count, 8);
    else if (this.count > r.end - r.pos) throw r.fault("truncated", r.end);
    return readMany(r, this.elem, this.count);
  }
  write(w: Writer, v: T[]) {
    if (!Array.isArray(v) || v.length !== this.count) throw new WireError("value");
    writeMany(w, this.elem, v);
  }
  skip(r: Reader) {
    if (!this.empty) for (let i = 0; i < this.count; i++) this.elem.skip(r);
  }
  zero(): T[] { return Array.from({ length: this.count }, () => this.elem.zero()); }
  override key(v: T[]) { return join(v.map((one) => this.elem.key(one))); }
}

function readMany<T>(r: Reader, elem: Codec<T>, n: number): T[] {
  const out: T[] = [];
  try {
    for (let i = 0; i < n; i++) out.push(elem.read(r));
  } catch (error) {
    throw at(error, `[${out.length}]`);
  }
  return out;
}

function writeMany<T>(w: Writer, elem: Codec<T>, list: T[]): void {
  let i = 0;
  try {
    for (const one of list) {
      elem.write(w, one);
      i++;
    }
  } catch (error) {
    throw at(error, `[${i}]`);
  }
}

/** Joins the keys of parts. If a part is not equal to any other, neither is the whole. */
function join(parts: (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : `[${parts.join(",")}]`;
}

/** The common part of both kinds of maps: their entries. */
abstract class Entries<K, V, M> extends Codec<M> {
  constructor(readonly form: Length, readonly keys: Codec<K>, readonly elem: Codec<V>) { super(); }
  override get size() { return 8; }
  protected readEntries(r: Reader, add: (key: K, value: V) => void): void {
    r.enter();
    const n = r.length(this.form, (this.keys.empty ? 0 : 1) + (this.elem.empty ? 0 : 1));
    r.take(n, Math.max(1, this.keys.size + this.elem.size));
    const seen = new Set<string>();
    let last: Uint8Array | undefined;
    for (let i = 0; i < n; i++) {
      const from = r.pos;
      let step = "[key]";
      try {
        const key = this.keys.read(r);
        const bytes = r.bytes.subarray(from, r.pos);
        if (r.canonical && last !== undefined && compare(last, bytes) >= 0) throw r.fault("unsorted", from);
        last = bytes;
        const id = this.keys.key(key);
        if (id !== undefined && seen.has(id)) throw r.fault("duplicate", from);
        if (id !== undefined) seen.add(id);
        step = stepOf(key);
        add(key, this.elem.read(r));
      } catch (error) {
        throw at(error, step);
      }
    }
    r.leave();
  }
  protected writeEntries(w: Writer, entries: Iterable<readonly [K, V]>, count: number): void {
    w.enter();
    w.length(count, this.form);
    const start = w.pos;
    const seen = new Set<string>();
    const parts: { key: Uint8Array; entry: Uint8Array }[] = [];
    for (const [key, value] of entries) {
      let step = "[key]";
      try {
        const from = w.pos;
        this.keys.write(w, key);
        const id = this.keys.key(key);
        if (id !== undefined && seen.has(id)) throw new WireError("duplicate");
        if (id !== undefined) seen.add(id);
        const middle = w.pos;
        step = stepOf(key);
        this.elem.write(w, value);
        if (w.canonical) parts.push({ key: w.bytes.slice(from, middle), entry: w.bytes.slice(from, w.pos) });
      } catch (error) {
        throw at(error, step);
      }
    }
    if (w.canonical) {
      parts.sort((a, b) => compare(a.key, b.key));
      w.pos = start;
      let last: Uint8Array | undefined;
      for (const one of parts) {
        if (last !== undefined && compare(last, one.key) === 0) throw new WireError("duplicate");
        last = one.key;
        w.raw(one.entry);
      }
    }
    w.leave();
  }
  skip(r: Reader) {
    r.enter();
    const n = r.length(this.form, 0);
    if (!this.keys.empty || !this.elem.empty) {
      for (let i = 0; i < n; i++) {
        this.keys.skip(r);
        this.elem.skip(r);
      }
    }
    r.leave();
  }
}

/** A map whose keys are strings, integers or booleans. Its order is the order of the bytes. */
class MapCodec<K extends string | number | bigint | boolean, V> extends Entries<K, V, Map<K, V>> {
  read(r: Reader) {
    const out = new Map<K, V>();
    this.readEntries(r, (key, value) => out.set(key, value));
    return out;
  }
  write(w: Writer, v: Map<K, V>) {
    if (!(v instanceof Map)) throw new WireError("value");
    this.writeEntries(w, v, v.size);
  }
  zero() { return new Map<K, V>(); }
}

/** A map whose keys JavaScript would not compare by their value: a list of entries. */
class Pairs<K, V> extends Entries<K, V, [K, V][]> {
  read(r: Reader) {
    const out: [K, V][] = [];
    this.readEntries(r, (key, value) => out.push([key, value]));
    return out;
  }
  write(w: Writer, v: [K, V][]) {
    if (!Array.isArray(v)) throw new WireError("value");
    this.writeEntries(w, v, v.length);
  }
  zero(): [K, V][] { return []; }
}

/** Compares bytes; a prefix comes first. */
function compare(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  }
  return a.length - b.length;
}

function stepOf(key: unknown): string {
  switch (typeof key) {
    case "string": return `[${JSON.stringify(key.slice(0, 32))}]`;
    case "object": return "[…]";
    default: return `[${String(key)}]`;
  }
}

// One of several

/** A value that is present, for types that have null as a value too. */
export interface Some<T> {
  some: T;
}

class Optional<T> extends Codec<T | null> {
  constructor(readonly elem: Codec<T>) { super(); }
  read(r: Reader) {
    if (!r.flag()) return null;
    r.enter();
    r.take(1, this.elem.size);
    const v = this.elem.read(r);
    r.leave();
    return v;
  }
  write(w: Writer, v: T | null) {
    if (v === null) return w.byte(0);
    w.byte(1);
    w.enter();
    this.elem.write(w, v);
    w.leave();
  }
  skip(r: Reader) {
    if (!r.flag()) return;
    r.enter();
    this.elem.skip(r);
    r.leave();
  }
  zero() { return null; }
  override key(v: T | null) { return v === null ? "null" : undefined; } // it may be a pointer in Go
}

/** Wraps a codec whose values may be null. */
class SomeCodec<T> extends Codec<Some<T>> {
  constructor(readonly elem: Codec<T>) { super(); }
  override get empty() { return this.elem.empty; }
  override get size() { return this.elem.size; }
  read(r: Reader): Some<T> { return { some: this.elem.read(r) }; }
  write(w: Writer, v: Some<T>) { this.elem.write(w, v.some); }
  skip(r: Reader) { this.elem.skip(r); }
  zero(): Some<T> { return { some: this.elem.zero() }; }
}

/** A value that is not decoded yet. */
export class Raw<T> {
  /** bytes has the encoding of the value, or is empty if there is no value. */
  constructor(readonly codec: Codec<T>, readonly bytes: Uint8Array) {}
  static of<T>(codec: Codec<T>, v: T): Raw<T> { return new Raw(codec, codec.encode(v)); }
  decode(limits?: Limits): T { return this.codec.decode(this.bytes, limits); }
}

class RawCodec<T> extends Codec<Raw<T>> {
  constructor(readonly form: Length, readonly elem: Codec<T>) { super(); }
  override get size() { return 24; }
  read(r: Reader) { return new Raw(this.elem, r.block(this.form).slice()); }
  write(w: Writer, v: Raw<T>) {
    if (!(v instanceof Raw)) throw new WireError("value");
    w.block(v.bytes, this.form);
  }
  skip(r: Reader) { r.block(this.form); }
  zero() { return new Raw(this.elem, new Uint8Array(0)); }
}

/** A case of a union: its id, its name, and the codec of its value, if it has one. */
export type CaseOf = readonly [id: number, name: string, codec?: Codec<any>];

interface Held {
  case: string;
  value?: unknown;
}

/** The tag "byte" is for the types of package mo; "uvarint" is for an interface, where 0 is null. */
class Union<T> extends Codec<T> {
  constructor(readonly tag: "byte" | "uvarint", private readonly list: () => CaseOf[]) { super(); }
  private byID?: Map<number, CaseOf>;
  private byName?: Map<string, CaseOf>;
  private cases(): Map<number, CaseOf> {
    return (this.byID ??= new Map(this.list().map((one) => [one[0], one])));
  }
  named(name: string): CaseOf | undefined {
    return (this.byName ??= new Map(this.list().map((one) => [one[1], one]))).get(name);
  }
  /** Reads an id and returns its case, or undefined for the id of null. */
  private which(r: Reader): CaseOf | undefined {
    const from = r.pos;
    const id = this.tag === "byte" ? r.byte() : r.uvarint();
    if (id === 0 && this.tag === "uvarint") return undefined;
    const one = this.cases().get(Number(id));
    if (one === undefined) throw r.fault(this.tag === "byte" ? "tag" : "unregistered", from);
    return one;
  }
  read(r: Reader): T {
    const one = this.which(r);
    if (one === undefined) return null as T;
    const [, name, codec] = one;
    if (codec === undefined) return { case: name } as T;
    r.enter();
    try {
      r.take(1, codec.size);
      const value: unknown = codec.read(r);
      r.leave();
      return { case: name, value } as T;
    } catch (error) {
      throw at(error, `.(${name})`);
    }
  }
  write(w: Writer, v: T) {
    if (v === null && this.tag === "uvarint") return w.byte(0);
    const held = v as Held;
    const one = this.named(held?.case);
    if (one === undefined) throw new WireError("value");
    const [id, name, codec] = one;
    if (this.tag === "byte") w.byte(id);
    else w.uvarint(id);
    if (codec === undefined) return;
    w.enter();
    try {
      codec.write(w, held.value);
    } catch (error) {
      throw at(error, `.(${name})`);
    }
    w.leave();
  }
  skip(r: Reader) {
    const codec = this.which(r)?.[2];
    if (codec === undefined) return;
    r.enter();
    codec.skip(r);
    r.leave();
  }
  zero(): T {
    if (this.tag === "uvarint") return null as T;
    const first = this.cases().get(0) ?? this.list()[0];
    if (first === undefined) throw new WireError("value");
    return (first[2] === undefined ? { case: first[1] } : { case: first[1], value: first[2].zero() }) as T;
  }
  override key(v: T) {
    if (v === null) return "null";
    const held = v as Held;
    const [id, name, codec] = this.named(held.case) as CaseOf;
    if (this.tag === "byte" && name === "error") return undefined; // errors of one text are not equal in Go
    return codec === undefined ? String(id) : join([String(id), codec.key(held.value)]);
  }
}

// Structs

/** A field: its name in the schema, its property, and its codec. */
export interface Field {
  readonly name: string;
  /** undefined if the field was removed, or is skipped. */
  readonly property?: string;
  readonly codec: Codec<any>;
  /** The bytes that encode writes in place of a removed field. */
  readonly removed?: Uint8Array;
}

/** The member in which an evolving struct keeps the fields that newer versions have added. */
export interface Unknown {
  readonly name: string;
  readonly property: string;
}

class Struct<T> extends Codec<T> {
  private known?: Field[];
  constructor(private readonly list: () => Field[], readonly evolving: boolean, readonly unknown?: Unknown) { super(); }
  fields(): Field[] { return (this.known ??= this.list()); }
  override get empty() { return !this.evolving && this.fields().every((f) => f.codec.empty); }
  override get size() {
    return this.fields().reduce((sum, f) => sum + (f.property === undefined ? 0 : f.codec.size), 0);
  }
  read(r: Reader): T {
    const out: Record<string, unknown> = {};
    const end = r.end;
    if (this.evolving) {
      r.enter();
      const n = r.length("uvarint", 1);
      r.end = r.pos + n;
    }
    let step = "";
    try {
      for (const f of this.fields()) {
        step = "." + f.name;
        if (this.evolving && r.pos === r.end && !(r.canonical && f.codec.empty)) { // the writer knew no more
          if (r.canonical) throw r.fault("canonical");
          if (f.property !== undefined) out[f.property] = f.codec.zero();
        } else if (f.removed !== undefined) {
          const from = r.pos;
          f.codec.skip(r);
          if (r.canonical && compare(f.removed, r.bytes.subarray(from, r.pos)) !== 0) throw r.fault("canonical", from);
        } else if (f.property === undefined) {
          f.codec.read(r);
        } else {
          out[f.property] = f.codec.read(r);
        }
      }
    } catch (error) {
      throw at(error, step);
    }
    if (this.evolving) {
      if (r.canonical && r.pos < r.end) throw r.fault("canonical");
      if (this.unknown !== undefined) out[this.unknown.property] = r.bytes.slice(r.pos, r.end);
      r.pos = r.end;
      r.end = end;
      r.leave();
    }
    return out as T;
  }
  write(w: Writer, v: T) {
    if (typeof v !== "object" || v === null) throw new WireError("value");
    const from = v as Record<string, unknown>;
    if (this.evolving) w.enter();
    const start = w.pos;
    let step = "";
    try {
      for (const f of this.fields()) {
        step = "." + f.name;
        if (f.removed !== undefined) w.raw(f.removed);
        else f.codec.write(w, f.property === undefined ? null : from[f.property]);
      }
    } catch (error) {
      throw at(error, step);
    }
    if (!this.evolving) return;
    if (this.unknown !== undefined) {
      const rest = from[this.unknown.property];
      if (!(rest instanceof Uint8Array)) throw new WireError("value").within("." + this.unknown.name);
      if (w.canonical && rest.length > 0) throw new WireError("canonical").within("." + this.unknown.name);
      w.raw(rest);
    }
    w.measure(start, "uvarint");
    w.leave();
  }
  skip(r: Reader) {
    if (this.evolving) r.block("uvarint");
    else for (const f of this.fields()) f.codec.skip(r);
  }
  zero(): T {
    const out: Record<string, unknown> = {};
    for (const f of this.fields()) if (f.property !== undefined) out[f.property] = f.codec.zero();
    if (this.unknown !== undefined) out[this.unknown.property] = new Uint8Array(0);
    return out as T;
  }
  override key(v: T) {
    const from = v as Record<string, unknown>;
    return join(this.fields().map((f) => (f.property === undefined ? "" : f.codec.key(from[f.property]))));
  }
}

/** A type that is declared later in its module. */
class Lazy<T> extends Codec<T> {
  constructor(readonly to: () => Codec<T>) { super(); }
  override get empty() { return this.to().empty; }
  override get size() { return this.to().size; }
  read(r: Reader) { return this.to().read(r); }
  write(w: Writer, v: T) { this.to().write(w, v); }
  skip(r: Reader) { this.to().skip(r); }
  zero() { return this.to().zero(); }
  override key(v: T) { return this.to().key(v); }
}

// The parts of generated modules

export const bool: Codec<boolean> = new Bool();
export const bigint: Codec<bigint> = new BigInteger();
export const time: Codec<Time> = new TimeCodec();
export const timeUTC: Codec<Time> = new LayoutTime(false);
export const timeLocation: Codec<Time> = new LayoutTime(true);
export const integer = (signed: boolean, bits: 8 | 16 | 32, coding: Coding): Codec<number> => new Narrow(signed, bits, coding);
export const integer64 = (signed: boolean, coding: Coding): Codec<bigint> => new Wide(signed, 64, coding);
export const float = (bits: 32 | 64, coding: "little" | "big"): Codec<number> => new Float(bits, coding === "little");
export const complex = (bits: 32 | 64, coding: "little" | "big"): Codec<Complex> => new ComplexCodec(new Float(bits, coding === "little"));
export const string = (form: Length): Codec<string> => new Text(form);
export const bytes = (form: Length): Codec<Uint8Array> => new Bytes(form, false);
export const text: Codec<string> = new Text("uvarint");
export const binary: Codec<Uint8Array> = new Bytes("uvarint", true);
export const skip = (count: number): Codec<null> => new Skip(count);
export const array = <T>(count: number, elem: Codec<T>): Codec<T[]> => new Fixed(count, elem);
export const list = <T>(form: Length, elem: Codec<T>): Codec<T[]> => new List(form, elem);
export const map = <K extends string | number | bigint | boolean, V>(form: Length, key: Codec<K>, elem: Codec<V>): Codec<Map<K, V>> =>
  new MapCodec(form, key, elem);
export const pairs = <K, V>(form: Length, key: Codec<K>, elem: Codec<V>): Codec<[K, V][]> => new Pairs(form, key, elem);
export const optional = <T>(elem: Codec<T>): Codec<T | null> => new Optional(elem);
export const some = <T>(elem: Codec<T>): Codec<Some<T>> => new SomeCodec(elem);
export const raw = <T>(form: Length, elem: Codec<T>): Codec<Raw<T>> => new RawCodec(form, elem);
export const union = <T>(tag: "byte" | "uvarint", cases: () => CaseOf[]): Codec<T> => new Union<T>(tag, cases);
export const lazy = <T>(to: () => Codec<T>): Codec<T> => new Lazy(to);
export const struct = <T>(fields: () => Field[]): Codec<T> => new Struct<T>(fields, false);
export const evolving = <T>(fields: () => Field[], unknown?: Unknown): Codec<T> => new Struct<T>(fields, true, unknown);
export const field = (name: string, property: string, codec: Codec<any>): Field => ({ name, property, codec });
export const skipped = (count: number): Field => ({ name: "", codec: new Skip(count) });
export const removed = (name: string, codec: Codec<any>, zero: string): Field => ({ name, codec, removed: unhex(zero) });

// Streams

/** Returns the records of a stream, each after its length: their bytes, for decode. */
export function* records(stream: Uint8Array): Generator<Uint8Array, void, undefined> {
  const r = new Reader(stream);
  while (r.pos < r.end) yield r.block("uvarint");
}

/** Returns a record of a stream: a length, and the bytes, which are a result of encode. */
export function record(encoded: Uint8Array): Uint8Array {
  const w = new Writer();
  w.block(encoded, "uvarint");
  return w.bytes.slice(0, w.pos);
}
