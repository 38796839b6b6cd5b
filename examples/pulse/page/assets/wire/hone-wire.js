// Compiled by tsc from what hone gen -ts makes: go test ./examples/pulse/server -run PageReader -update
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
const sentences = {
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
    reason;
    offset;
    name = "WireError";
    /** The path of the value, such as ".Items[3].Price"; "" for the root. */
    path = "";
    /** The offset of the fault in the input, or undefined for an error of encode. */
    constructor(reason, offset) {
        super((offset === undefined ? "" : `byte ${offset}: `) + sentences[reason]);
        this.reason = reason;
        this.offset = offset;
    }
    /** Prepends a step to the path. The innermost value is the first caller. */
    within(step) {
        this.path = step + this.path;
        return this;
    }
    /** Completes the message when the path is known. */
    done() {
        const words = [sentences[this.reason]];
        if (this.path !== "")
            words.unshift(this.path.slice(0, 256));
        if (this.offset !== undefined)
            words.unshift("byte " + this.offset);
        this.message = words.join(": ");
        return this;
    }
}
function at(error, step) {
    return error instanceof WireError ? error.within(step) : error;
}
// Building blocks
/** The input of decode, with a position. */
export class Reader {
    bytes;
    pos = 0;
    end; // the end of the input, of an evolving struct or of a raw value
    view;
    canonical;
    depth;
    memory;
    constructor(bytes, limits = {}) {
        this.bytes = bytes;
        this.end = bytes.length;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.canonical = limits.canonical ?? false;
        this.depth = limits.depth ?? 1000;
        this.memory = limits.memory ?? 65536 + 256 * bytes.length;
    }
    fault(reason, offset = this.pos) {
        return new WireError(reason, offset);
    }
    /** Counts a level of nesting. leave uncounts it. */
    enter() {
        if (this.depth-- === 0)
            throw this.fault("depth");
    }
    leave() {
        this.depth++;
    }
    /** Counts the memory of n values of size bytes, before it is allocated. */
    take(n, size) {
        this.memory -= n * size;
        if (this.memory < 0)
            throw this.fault("limit");
    }
    /** Checks that n bytes are left, moves past them, and returns the offset of the first. */
    skip(n) {
        if (n > this.end - this.pos)
            throw this.fault("truncated", this.end);
        this.pos += n;
        return this.pos - n;
    }
    byte() {
        return this.view.getUint8(this.skip(1));
    }
    flag() {
        const b = this.byte();
        if (b > 1)
            throw this.fault("flag", this.pos - 1);
        return b === 1;
    }
    /** Reads a uvarint. The result is a number below 2^49, and a bigint from 2^49 on. */
    uvarint() {
        const from = this.pos;
        let value = 0;
        let scale = 1;
        for (let n = 0; n < 7; n++) {
            const b = this.byte();
            if (b === 0 && n > 0)
                throw this.fault("nonminimal", from);
            if (b < 0x80)
                return value + b * scale;
            value += (b & 0x7f) * scale;
            scale *= 0x80;
        }
        let wide = BigInt(value);
        for (let shift = 49n;; shift += 7n) {
            const b = this.byte();
            if (b === 0)
                throw this.fault("nonminimal", from);
            if (shift === 63n && b > 1)
                throw this.fault("overflow", from);
            wide |= BigInt(b & 0x7f) << shift;
            if (b < 0x80)
                return wide;
        }
    }
    varint() {
        const v = this.uvarint();
        if (typeof v === "bigint")
            return v & 1n ? -(v >> 1n) - 1n : v >> 1n;
        return v % 2 === 1 ? -(v + 1) / 2 : v / 2;
    }
    /** Reads an integer of the given number of bits. */
    fixed(bits, signed, little) {
        const p = this.skip(bits / 8);
        switch (bits) {
            case 8: return signed ? this.view.getInt8(p) : this.view.getUint8(p);
            case 16: return signed ? this.view.getInt16(p, little) : this.view.getUint16(p, little);
            case 32: return signed ? this.view.getInt32(p, little) : this.view.getUint32(p, little);
            default: return signed ? this.view.getBigInt64(p, little) : this.view.getBigUint64(p, little);
        }
    }
    /** Reads a length, and checks that the rest of the input has room for so many parts of at least least bytes. */
    length(form, least) {
        const from = this.pos;
        const n = form === "uvarint" ? this.uvarint() : this.fixed(parseInt(form.slice(1)), form[0] === "i", !form.endsWith("be"));
        if (n < 0)
            throw this.fault("overflow", from);
        if (least > 0 && n > (this.end - this.pos) / least)
            throw this.fault("truncated", this.end);
        if (n > Number.MAX_SAFE_INTEGER)
            throw this.fault("overflow", from);
        return Number(n);
    }
    /** Reads a length, and returns a view of so many bytes of the input. */
    block(form) {
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
    canonical;
    depth;
    constructor(limits = {}) {
        this.canonical = limits.canonical ?? false;
        this.depth = limits.depth ?? 1000;
    }
    enter() {
        if (this.depth-- === 0)
            throw new WireError("depth");
    }
    leave() {
        this.depth++;
    }
    /** Makes room for n bytes and returns the offset of the first. */
    room(n) {
        if (this.pos + n > this.bytes.length) {
            const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.pos + n));
            grown.set(this.bytes.subarray(0, this.pos));
            this.bytes = grown;
            this.view = new DataView(grown.buffer);
        }
        this.pos += n;
        return this.pos - n;
    }
    byte(b) {
        const p = this.room(1); // which may make another view
        this.view.setUint8(p, b);
    }
    raw(b) {
        const p = this.room(b.length);
        this.bytes.set(b, p);
    }
    uvarint(v) {
        if (typeof v === "bigint" && v > 0xffffffffffffn) {
            for (; v > 0x7fn; v >>= 7n)
                this.byte(Number(v & 0x7fn) | 0x80);
            this.byte(Number(v));
            return;
        }
        let n = Number(v);
        for (; n > 0x7f; n = Math.floor(n / 0x80))
            this.byte(n % 0x80 | 0x80);
        this.byte(n);
    }
    varint(v) {
        if (typeof v === "bigint")
            this.uvarint(v < 0n ? -2n * v - 1n : 2n * v);
        else
            this.uvarint(v < 0 ? -2 * v - 1 : 2 * v);
    }
    fixed(v, bits, little) {
        const p = this.room(bits / 8);
        switch (bits) {
            case 8:
                this.view.setUint8(p, Number(v));
                break;
            case 16:
                this.view.setUint16(p, Number(v), little);
                break;
            case 32:
                this.view.setUint32(p, Number(v), little);
                break;
            default: this.view.setBigUint64(p, BigInt.asUintN(64, BigInt(v)), little);
        }
    }
    length(n, form) {
        if (form === "uvarint")
            return this.uvarint(n);
        const bits = parseInt(form.slice(1));
        if (n >= 2 ** (form[0] === "i" ? bits - 1 : bits))
            throw new WireError("overflow");
        this.fixed(n, bits, !form.endsWith("be"));
    }
    block(b, form) {
        this.length(b.length, form);
        this.raw(b);
    }
    /** Inserts a length before the bytes that were written since start. */
    measure(start, form) {
        const held = this.bytes.slice(start, this.pos);
        this.pos = start;
        this.block(held, form);
    }
}
/** A Codec reads and writes the values of one type. */
export class Codec {
    /** Reports whether the encoding of every value is empty. Otherwise every encoding has at least one byte. */
    get empty() {
        return false;
    }
    /** The minimum memory of a value in Go, which Limits.memory counts. */
    get size() {
        return 1;
    }
    /** Returns a text that is the same for equal keys of a map; undefined for a key that is not equal to any other. */
    key(_) {
        throw new WireError("value");
    }
    /** Returns the value whose encoding is bytes. */
    decode(bytes, limits = {}) {
        const r = new Reader(bytes, limits);
        try {
            const v = this.read(r);
            if (r.pos < r.end)
                throw r.fault("trailing");
            return v;
        }
        catch (error) {
            throw error instanceof WireError ? error.done() : error;
        }
    }
    /** Returns the encoding of v. */
    encode(v, limits = {}) {
        const w = new Writer(limits);
        try {
            this.write(w, v);
            return w.bytes.slice(0, w.pos);
        }
        catch (error) {
            throw error instanceof WireError ? error.done() : error;
        }
    }
}
// Simple types
class Bool extends Codec {
    read(r) { return r.flag(); }
    write(w, v) {
        if (typeof v !== "boolean")
            throw new WireError("value");
        w.byte(v ? 1 : 0);
    }
    skip(r) { r.skip(1); }
    zero() { return false; }
    key(v) { return String(v); }
}
/** An integer of 8, 16 or 32 bits is a number; wide is set for 64 bits, which are bigints. */
class Integer extends Codec {
    signed;
    bits;
    coding;
    constructor(signed, bits, coding) {
        super();
        this.signed = signed;
        this.bits = bits;
        this.coding = coding;
    }
    get size() { return this.bits / 8; }
    number(r) {
        if (this.coding !== "varint")
            return r.fixed(this.bits, this.signed, this.coding === "little");
        const from = r.pos;
        const v = this.signed ? r.varint() : r.uvarint();
        if (!this.fits(v))
            throw r.fault("overflow", from);
        return v;
    }
    fits(v) {
        if (this.bits === 64)
            return true; // as a uvarint does
        const half = 2 ** (this.bits - 1);
        return this.signed ? -half <= v && v < half : 0 <= v && v < 2 * half;
    }
    write(w, v) {
        const whole = this.bits === 64 ? typeof v === "bigint" : Number.isInteger(v);
        if (!whole)
            throw new WireError("value");
        if (this.bits === 64 ? v !== (this.signed ? BigInt.asIntN : BigInt.asUintN)(64, BigInt(v)) : !this.fits(v)) {
            throw new WireError("overflow");
        }
        if (this.coding !== "varint")
            w.fixed(v, this.bits, this.coding === "little");
        else if (this.signed)
            w.varint(v);
        else
            w.uvarint(v);
    }
    skip(r) {
        if (this.coding === "varint")
            r.uvarint();
        else
            r.skip(this.bits / 8);
    }
    key(v) { return String(v); }
}
class Narrow extends Integer {
    read(r) { return Number(this.number(r)); }
    zero() { return 0; }
}
class Wide extends Integer {
    read(r) { return BigInt(this.number(r)); }
    zero() { return 0n; }
}
/** An integer of any length. */
class BigInteger extends Codec {
    get size() { return 32; }
    read(r) {
        const from = r.pos;
        const b = r.block("uvarint");
        const sign = b[0];
        if (sign === undefined || sign > 1 || b[1] === 0 || (sign === 1 && b.length === 1))
            throw r.fault("number", from);
        const v = b.length === 1 ? 0n : BigInt("0x" + hex(b.subarray(1)));
        return sign === 1 ? -v : v;
    }
    write(w, v) {
        if (typeof v !== "bigint")
            throw new WireError("value");
        let digits = v === 0n ? "" : (v < 0n ? -v : v).toString(16);
        if (digits.length % 2 === 1)
            digits = "0" + digits;
        w.block(unhex((v < 0n ? "01" : "00") + digits), "uvarint");
    }
    skip(r) { r.block("uvarint"); }
    zero() { return 0n; }
    key(v) { return String(v); }
}
/** A number of 32 or 64 bits. All NaNs have the same encoding, because JavaScript does not distinguish them. */
class Float extends Codec {
    bits;
    little;
    constructor(bits, little) {
        super();
        this.bits = bits;
        this.little = little;
    }
    get size() { return this.bits / 8; }
    read(r) {
        const p = r.skip(this.bits / 8);
        const v = this.bits === 32 ? r.view.getFloat32(p, this.little) : r.view.getFloat64(p, this.little);
        if (r.canonical && (Object.is(v, -0) || (v !== v && !this.isNaN(r, p))))
            throw r.fault("canonical", p);
        return v;
    }
    /** Reports whether the bytes at p are the only NaN of the canonical form. */
    isNaN(r, p) {
        if (this.bits === 32)
            return r.view.getUint32(p, this.little) === 0x7fc00000;
        return r.view.getBigUint64(p, this.little) === 0x7ff8000000000000n;
    }
    write(w, v) {
        if (typeof v !== "number")
            throw new WireError("value");
        if (this.bits === 32 && Number.isFinite(v) && !Number.isFinite(Math.fround(v)))
            throw new WireError("overflow");
        if (w.canonical && v === 0)
            v = 0; // -0 too
        const p = w.room(this.bits / 8);
        if (v !== v) {
            if (this.bits === 32)
                w.view.setUint32(p, 0x7fc00000, this.little);
            else
                w.view.setBigUint64(p, 0x7ff8000000000000n, this.little);
        }
        else if (this.bits === 32)
            w.view.setFloat32(p, v, this.little);
        else
            w.view.setFloat64(p, v, this.little);
    }
    skip(r) { r.skip(this.bits / 8); }
    zero() { return 0; }
    key(v) { return v === v ? String(v) : undefined; } // String(-0) is "0"
}
class ComplexCodec extends Codec {
    half;
    constructor(half) {
        super();
        this.half = half;
    }
    get size() { return 2 * this.half.size; }
    read(r) { return { re: this.half.read(r), im: this.half.read(r) }; }
    write(w, v) { this.half.write(w, v.re); this.half.write(w, v.im); }
    skip(r) { r.skip(this.half.bits / 4); }
    zero() { return { re: 0, im: 0 }; }
    key(v) {
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
class Text extends Codec {
    form;
    constructor(form) {
        super();
        this.form = form;
    }
    get size() { return 16; }
    read(r) {
        const b = r.block(this.form);
        try {
            return strict.decode(b);
        }
        catch {
            return escape(b);
        }
    }
    write(w, v) {
        if (typeof v !== "string")
            throw new WireError("value");
        w.block(/\p{Surrogate}/u.test(v) ? unescape(v) : utf8.encode(v), this.form);
    }
    skip(r) { r.block(this.form); }
    zero() { return ""; }
    key(v) { return JSON.stringify(v); }
}
/** Returns the number of bytes of the character at b[i], or 0 if the bytes are not UTF-8. */
function character(b, i) {
    const lead = b[i];
    const n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    for (let k = 1; k < n; k++) {
        const c = b[i + k] ?? 0;
        const least = k > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
        const most = k > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
        if (c < least || c > most)
            return 0;
    }
    return n;
}
function escape(b) {
    let out = "";
    for (let i = 0, from = 0; i <= b.length;) {
        const n = i < b.length ? character(b, i) : 0;
        if (n === 0) {
            out += strict.decode(b.subarray(from, i));
            if (i < b.length)
                out += String.fromCharCode(0xdc00 + b[i]);
            from = i + 1;
        }
        i += n || 1;
    }
    return out;
}
function unescape(s) {
    const w = new Writer();
    for (const part of s.split(/(\p{Surrogate})/u)) {
        const c = part.charCodeAt(0);
        if (part.length !== 1 || c < 0xd800 || c > 0xdfff)
            w.raw(utf8.encode(part));
        else if (c >= 0xdc80 && c <= 0xdcff)
            w.byte(c - 0xdc00);
        else
            throw new WireError("value");
    }
    return w.bytes.slice(0, w.pos);
}
class Bytes extends Codec {
    form;
    isKey;
    /** isKey is set for bytes from a method of a Go type. They may be a key of a map, and plain bytes may not. */
    constructor(form, isKey) {
        super();
        this.form = form;
        this.isKey = isKey;
    }
    get size() { return this.isKey ? 1 : 24; }
    read(r) { return r.block(this.form).slice(); }
    write(w, v) {
        if (!(v instanceof Uint8Array))
            throw new WireError("value");
        w.block(v, this.form);
    }
    skip(r) { r.block(this.form); }
    zero() { return new Uint8Array(0); }
    key(v) { return this.isKey ? hex(v) : super.key(v); }
}
function hex(b) {
    let out = "";
    for (const c of b)
        out += (c < 16 ? "0" : "") + c.toString(16);
    return out;
}
function unhex(s) {
    return Uint8Array.from({ length: s.length / 2 }, (_, i) => parseInt(s.slice(2 * i, 2 * i + 2), 16));
}
/** Bytes without a meaning. decode ignores them, and encode writes zeros. */
class Skip extends Codec {
    count;
    constructor(count) {
        super();
        this.count = count;
    }
    get empty() { return this.count === 0; }
    read(r) { r.skip(this.count); return null; }
    write(w, _) { const p = w.room(this.count); w.bytes.fill(0, p, w.pos); }
    skip(r) { r.skip(this.count); }
    zero() { return null; }
    key() { return ""; }
}
// Times
/** An instant with nanoseconds, and the known properties of its zone. */
export class Time {
    seconds;
    nanoseconds;
    zone;
    offset;
    name;
    constructor(
    /** The seconds since 1970-01-01 00:00:00 UTC. */
    seconds, nanoseconds = 0, 
    /** "local" is the zone of the machine that wrote the time. */
    zone = "utc", 
    /** The offset of a zone other than UTC at that time, in seconds east of UTC. */
    offset = 0, 
    /** The name of a named zone. */
    name = "") {
        this.seconds = seconds;
        this.nanoseconds = nanoseconds;
        this.zone = zone;
        this.offset = offset;
        this.name = name;
    }
    /** Go's zero time, the start of the year 1. */
    static zero = new Time(-62135596800n);
    static fromDate(d) {
        const ms = BigInt(d.getTime());
        const rest = ((ms % 1000n) + 1000n) % 1000n;
        return new Time((ms - rest) / 1000n, Number(rest) * 1e6);
    }
    /** Returns the instant, cut to milliseconds: an invalid Date if it is too far away. */
    toDate() {
        return new Date(Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1e6));
    }
    /** Returns the text of RFC 3339, with a zone's name in brackets, for the years 0 to 9999. */
    toString() {
        const local = this.seconds + BigInt(this.offset);
        if (local < -62167219200n || local > 253402300799n)
            return `${this.seconds}.${String(this.nanoseconds).padStart(9, "0")}s`;
        let s = new Date(Number(local) * 1000).toISOString().slice(0, 19);
        if (this.nanoseconds > 0)
            s += "." + String(this.nanoseconds).padStart(9, "0").replace(/0+$/, "");
        if (this.zone === "utc")
            return s + "Z";
        const minutes = Math.floor(Math.abs(this.offset) / 60);
        const two = (n) => String(n).padStart(2, "0");
        s += (this.offset < 0 ? "-" : "+") + two(Math.floor(minutes / 60)) + ":" + two(minutes % 60);
        return this.zone === "named" ? `${s}[${this.name}]` : s;
    }
}
const int32Most = 2 ** 31 - 1;
const zoneName = new Text("uvarint");
class TimeCodec extends Codec {
    get size() { return 24; }
    read(r) {
        const from = r.pos;
        const seconds = BigInt(r.varint());
        let p = r.pos;
        const nanoseconds = r.uvarint();
        if (nanoseconds >= 1e9)
            throw r.fault("time", p);
        p = r.pos;
        const zone = r.byte();
        if (zone > 2)
            throw r.fault("time", p);
        if (zone === 0)
            return new Time(seconds, Number(nanoseconds));
        if (r.canonical)
            throw r.fault("canonical", from);
        const offset = Number(r.varint());
        if (offset > int32Most || offset < -int32Most - 1)
            throw r.fault("time", p);
        if (zone === 2)
            return new Time(seconds, Number(nanoseconds), "local", offset);
        return new Time(seconds, Number(nanoseconds), "named", offset, zoneName.read(r));
    }
    write(w, v) {
        if (BigInt.asIntN(64, v.seconds) !== v.seconds || !Number.isInteger(v.nanoseconds) || v.nanoseconds < 0 || v.nanoseconds >= 1e9) {
            throw new WireError("time");
        }
        w.varint(v.seconds);
        w.uvarint(v.nanoseconds);
        if (w.canonical || v.zone === "utc")
            return w.byte(0);
        if (!Number.isInteger(v.offset) || v.offset > int32Most || v.offset < -int32Most - 1)
            throw new WireError("time");
        w.byte(v.zone === "named" ? 1 : 2);
        w.varint(v.offset);
        if (v.zone === "named")
            zoneName.write(w, v.name);
    }
    skip(r) {
        r.uvarint();
        r.uvarint();
        const zone = r.byte();
        if (zone !== 0)
            r.uvarint();
        if (zone === 1)
            r.block("uvarint");
    }
    zero() { return Time.zero; }
    key(v) { return JSON.stringify([String(v.seconds), v.nanoseconds, v.zone, v.offset, v.name]); }
}
const locationName = new Text("u8");
/** A time of a declared layout: its nanoseconds since 1970, perhaps with the name of its zone. */
class LayoutTime extends Codec {
    location;
    constructor(location) {
        super();
        this.location = location;
    }
    get size() { return 24; }
    /** The number that represents the zero time, which does not fit. */
    static zeroNano = BigInt.asIntN(64, Time.zero.seconds * 1000000000n);
    read(r) {
        const nanos = r.fixed(64, true, true);
        const rest = ((nanos % 1000000000n) + 1000000000n) % 1000000000n;
        const zero = nanos === LayoutTime.zeroNano;
        const seconds = zero ? Time.zero.seconds : (nanos - rest) / 1000000000n;
        const nanoseconds = zero ? 0 : Number(rest);
        if (!this.location || !r.flag())
            return new Time(seconds, nanoseconds);
        return new Time(seconds, nanoseconds, "named", 0, locationName.read(r));
    }
    write(w, v) {
        const zero = v.seconds === Time.zero.seconds && v.nanoseconds === 0;
        const nanos = v.seconds * 1000000000n + BigInt(v.nanoseconds);
        const fits = BigInt.asIntN(64, nanos) === nanos && nanos !== LayoutTime.zeroNano;
        if ((!fits && !zero) || v.zone === "local" || v.offset !== 0 || (v.zone === "named" && !this.location))
            throw new WireError("time");
        w.fixed(nanos, 64, true);
        if (!this.location)
            return;
        w.byte(v.zone === "named" ? 1 : 0);
        if (v.zone === "named")
            locationName.write(w, v.name);
    }
    skip(r) {
        r.skip(8);
        if (this.location && r.flag())
            r.block("u8");
    }
    zero() { return Time.zero; }
    key(v) {
        const name = v.name === "UTC" ? "" : v.name;
        return JSON.stringify([String(v.seconds), v.nanoseconds, name]);
    }
}
// Lists and maps
class List extends Codec {
    form;
    elem;
    constructor(form, elem) {
        super();
        this.form = form;
        this.elem = elem;
    }
    get size() { return 24; }
    read(r) {
        r.enter();
        const n = r.length(this.form, this.elem.empty ? 0 : 1);
        r.take(n, this.elem.empty ? 8 : this.elem.size); // elements without bytes are counted too
        const out = readMany(r, this.elem, n);
        r.leave();
        return out;
    }
    write(w, v) {
        if (!Array.isArray(v))
            throw new WireError("value");
        w.enter();
        w.length(v.length, this.form);
        writeMany(w, this.elem, v);
        w.leave();
    }
    skip(r) {
        r.enter();
        const n = r.length(this.form, 0);
        if (!this.elem.empty)
            for (let i = 0; i < n; i++)
                this.elem.skip(r);
        r.leave();
    }
    zero() { return []; }
}
class Fixed extends Codec {
    count;
    elem;
    constructor(count, elem) {
        super();
        this.count = count;
        this.elem = elem;
    }
    get empty() { return this.count === 0 || this.elem.empty; }
    get size() { return this.count * this.elem.size; }
    read(r) {
        if (this.empty)
            r.take(this.count, 8);
        else if (this.count > r.end - r.pos)
            throw r.fault("truncated", r.end);
        return readMany(r, this.elem, this.count);
    }
    write(w, v) {
        if (!Array.isArray(v) || v.length !== this.count)
            throw new WireError("value");
        writeMany(w, this.elem, v);
    }
    skip(r) {
        if (!this.empty)
            for (let i = 0; i < this.count; i++)
                this.elem.skip(r);
    }
    zero() { return Array.from({ length: this.count }, () => this.elem.zero()); }
    key(v) { return join(v.map((one) => this.elem.key(one))); }
}
function readMany(r, elem, n) {
    const out = [];
    try {
        for (let i = 0; i < n; i++)
            out.push(elem.read(r));
    }
    catch (error) {
        throw at(error, `[${out.length}]`);
    }
    return out;
}
function writeMany(w, elem, list) {
    let i = 0;
    try {
        for (const one of list) {
            elem.write(w, one);
            i++;
        }
    }
    catch (error) {
        throw at(error, `[${i}]`);
    }
}
/** Joins the keys of parts. If a part is not equal to any other, neither is the whole. */
function join(parts) {
    return parts.includes(undefined) ? undefined : `[${parts.join(",")}]`;
}
/** The common part of both kinds of maps: their entries. */
class Entries extends Codec {
    form;
    keys;
    elem;
    constructor(form, keys, elem) {
        super();
        this.form = form;
        this.keys = keys;
        this.elem = elem;
    }
    get size() { return 8; }
    readEntries(r, add) {
        r.enter();
        const n = r.length(this.form, (this.keys.empty ? 0 : 1) + (this.elem.empty ? 0 : 1));
        r.take(n, Math.max(1, this.keys.size + this.elem.size));
        const seen = new Set();
        let last;
        for (let i = 0; i < n; i++) {
            const from = r.pos;
            let step = "[key]";
            try {
                const key = this.keys.read(r);
                const bytes = r.bytes.subarray(from, r.pos);
                if (r.canonical && last !== undefined && compare(last, bytes) >= 0)
                    throw r.fault("unsorted", from);
                last = bytes;
                const id = this.keys.key(key);
                if (id !== undefined && seen.has(id))
                    throw r.fault("duplicate", from);
                if (id !== undefined)
                    seen.add(id);
                step = stepOf(key);
                add(key, this.elem.read(r));
            }
            catch (error) {
                throw at(error, step);
            }
        }
        r.leave();
    }
    writeEntries(w, entries, count) {
        w.enter();
        w.length(count, this.form);
        const start = w.pos;
        const seen = new Set();
        const parts = [];
        for (const [key, value] of entries) {
            let step = "[key]";
            try {
                const from = w.pos;
                this.keys.write(w, key);
                const id = this.keys.key(key);
                if (id !== undefined && seen.has(id))
                    throw new WireError("duplicate");
                if (id !== undefined)
                    seen.add(id);
                const middle = w.pos;
                step = stepOf(key);
                this.elem.write(w, value);
                if (w.canonical)
                    parts.push({ key: w.bytes.slice(from, middle), entry: w.bytes.slice(from, w.pos) });
            }
            catch (error) {
                throw at(error, step);
            }
        }
        if (w.canonical) {
            parts.sort((a, b) => compare(a.key, b.key));
            w.pos = start;
            let last;
            for (const one of parts) {
                if (last !== undefined && compare(last, one.key) === 0)
                    throw new WireError("duplicate");
                last = one.key;
                w.raw(one.entry);
            }
        }
        w.leave();
    }
    skip(r) {
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
class MapCodec extends Entries {
    read(r) {
        const out = new Map();
        this.readEntries(r, (key, value) => out.set(key, value));
        return out;
    }
    write(w, v) {
        if (!(v instanceof Map))
            throw new WireError("value");
        this.writeEntries(w, v, v.size);
    }
    zero() { return new Map(); }
}
/** A map whose keys JavaScript would not compare by their value: a list of entries. */
class Pairs extends Entries {
    read(r) {
        const out = [];
        this.readEntries(r, (key, value) => out.push([key, value]));
        return out;
    }
    write(w, v) {
        if (!Array.isArray(v))
            throw new WireError("value");
        this.writeEntries(w, v, v.length);
    }
    zero() { return []; }
}
/** Compares bytes; a prefix comes first. */
function compare(a, b) {
    for (let i = 0; i < a.length && i < b.length; i++) {
        if (a[i] !== b[i])
            return a[i] - b[i];
    }
    return a.length - b.length;
}
function stepOf(key) {
    switch (typeof key) {
        case "string": return `[${JSON.stringify(key.slice(0, 32))}]`;
        case "object": return "[…]";
        default: return `[${String(key)}]`;
    }
}
class Optional extends Codec {
    elem;
    constructor(elem) {
        super();
        this.elem = elem;
    }
    read(r) {
        if (!r.flag())
            return null;
        r.enter();
        r.take(1, this.elem.size);
        const v = this.elem.read(r);
        r.leave();
        return v;
    }
    write(w, v) {
        if (v === null)
            return w.byte(0);
        w.byte(1);
        w.enter();
        this.elem.write(w, v);
        w.leave();
    }
    skip(r) {
        if (!r.flag())
            return;
        r.enter();
        this.elem.skip(r);
        r.leave();
    }
    zero() { return null; }
    key(v) { return v === null ? "null" : undefined; } // it may be a pointer in Go
}
/** Wraps a codec whose values may be null. */
class SomeCodec extends Codec {
    elem;
    constructor(elem) {
        super();
        this.elem = elem;
    }
    get empty() { return this.elem.empty; }
    get size() { return this.elem.size; }
    read(r) { return { some: this.elem.read(r) }; }
    write(w, v) { this.elem.write(w, v.some); }
    skip(r) { this.elem.skip(r); }
    zero() { return { some: this.elem.zero() }; }
}
/** A value that is not decoded yet. */
export class Raw {
    codec;
    bytes;
    /** bytes has the encoding of the value, or is empty if there is no value. */
    constructor(codec, bytes) {
        this.codec = codec;
        this.bytes = bytes;
    }
    static of(codec, v) { return new Raw(codec, codec.encode(v)); }
    decode(limits) { return this.codec.decode(this.bytes, limits); }
}
class RawCodec extends Codec {
    form;
    elem;
    constructor(form, elem) {
        super();
        this.form = form;
        this.elem = elem;
    }
    get size() { return 24; }
    read(r) { return new Raw(this.elem, r.block(this.form).slice()); }
    write(w, v) {
        if (!(v instanceof Raw))
            throw new WireError("value");
        w.block(v.bytes, this.form);
    }
    skip(r) { r.block(this.form); }
    zero() { return new Raw(this.elem, new Uint8Array(0)); }
}
/** The tag "byte" is for the types of package mo; "uvarint" is for an interface, where 0 is null. */
class Union extends Codec {
    tag;
    list;
    constructor(tag, list) {
        super();
        this.tag = tag;
        this.list = list;
    }
    byID;
    byName;
    cases() {
        return (this.byID ??= new Map(this.list().map((one) => [one[0], one])));
    }
    named(name) {
        return (this.byName ??= new Map(this.list().map((one) => [one[1], one]))).get(name);
    }
    /** Reads an id and returns its case, or undefined for the id of null. */
    which(r) {
        const from = r.pos;
        const id = this.tag === "byte" ? r.byte() : r.uvarint();
        if (id === 0 && this.tag === "uvarint")
            return undefined;
        const one = this.cases().get(Number(id));
        if (one === undefined)
            throw r.fault(this.tag === "byte" ? "tag" : "unregistered", from);
        return one;
    }
    read(r) {
        const one = this.which(r);
        if (one === undefined)
            return null;
        const [, name, codec] = one;
        if (codec === undefined)
            return { case: name };
        r.enter();
        try {
            r.take(1, codec.size);
            const value = codec.read(r);
            r.leave();
            return { case: name, value };
        }
        catch (error) {
            throw at(error, `.(${name})`);
        }
    }
    write(w, v) {
        if (v === null && this.tag === "uvarint")
            return w.byte(0);
        const held = v;
        const one = this.named(held?.case);
        if (one === undefined)
            throw new WireError("value");
        const [id, name, codec] = one;
        if (this.tag === "byte")
            w.byte(id);
        else
            w.uvarint(id);
        if (codec === undefined)
            return;
        w.enter();
        try {
            codec.write(w, held.value);
        }
        catch (error) {
            throw at(error, `.(${name})`);
        }
        w.leave();
    }
    skip(r) {
        const codec = this.which(r)?.[2];
        if (codec === undefined)
            return;
        r.enter();
        codec.skip(r);
        r.leave();
    }
    zero() {
        if (this.tag === "uvarint")
            return null;
        const first = this.cases().get(0) ?? this.list()[0];
        if (first === undefined)
            throw new WireError("value");
        return (first[2] === undefined ? { case: first[1] } : { case: first[1], value: first[2].zero() });
    }
    key(v) {
        if (v === null)
            return "null";
        const held = v;
        const [id, name, codec] = this.named(held.case);
        if (this.tag === "byte" && name === "error")
            return undefined; // errors of one text are not equal in Go
        return codec === undefined ? String(id) : join([String(id), codec.key(held.value)]);
    }
}
class Struct extends Codec {
    list;
    evolving;
    unknown;
    known;
    constructor(list, evolving, unknown) {
        super();
        this.list = list;
        this.evolving = evolving;
        this.unknown = unknown;
    }
    fields() { return (this.known ??= this.list()); }
    get empty() { return !this.evolving && this.fields().every((f) => f.codec.empty); }
    get size() {
        return this.fields().reduce((sum, f) => sum + (f.property === undefined ? 0 : f.codec.size), 0);
    }
    read(r) {
        const out = {};
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
                    if (r.canonical)
                        throw r.fault("canonical");
                    if (f.property !== undefined)
                        out[f.property] = f.codec.zero();
                }
                else if (f.removed !== undefined) {
                    const from = r.pos;
                    f.codec.skip(r);
                    if (r.canonical && compare(f.removed, r.bytes.subarray(from, r.pos)) !== 0)
                        throw r.fault("canonical", from);
                }
                else if (f.property === undefined) {
                    f.codec.read(r);
                }
                else {
                    out[f.property] = f.codec.read(r);
                }
            }
        }
        catch (error) {
            throw at(error, step);
        }
        if (this.evolving) {
            if (r.canonical && r.pos < r.end)
                throw r.fault("canonical");
            if (this.unknown !== undefined)
                out[this.unknown.property] = r.bytes.slice(r.pos, r.end);
            r.pos = r.end;
            r.end = end;
            r.leave();
        }
        return out;
    }
    write(w, v) {
        if (typeof v !== "object" || v === null)
            throw new WireError("value");
        const from = v;
        if (this.evolving)
            w.enter();
        const start = w.pos;
        let step = "";
        try {
            for (const f of this.fields()) {
                step = "." + f.name;
                if (f.removed !== undefined)
                    w.raw(f.removed);
                else
                    f.codec.write(w, f.property === undefined ? null : from[f.property]);
            }
        }
        catch (error) {
            throw at(error, step);
        }
        if (!this.evolving)
            return;
        if (this.unknown !== undefined) {
            const rest = from[this.unknown.property];
            if (!(rest instanceof Uint8Array))
                throw new WireError("value").within("." + this.unknown.name);
            if (w.canonical && rest.length > 0)
                throw new WireError("canonical").within("." + this.unknown.name);
            w.raw(rest);
        }
        w.measure(start, "uvarint");
        w.leave();
    }
    skip(r) {
        if (this.evolving)
            r.block("uvarint");
        else
            for (const f of this.fields())
                f.codec.skip(r);
    }
    zero() {
        const out = {};
        for (const f of this.fields())
            if (f.property !== undefined)
                out[f.property] = f.codec.zero();
        if (this.unknown !== undefined)
            out[this.unknown.property] = new Uint8Array(0);
        return out;
    }
    key(v) {
        const from = v;
        return join(this.fields().map((f) => (f.property === undefined ? "" : f.codec.key(from[f.property]))));
    }
}
/** A type that is declared later in its module. */
class Lazy extends Codec {
    to;
    constructor(to) {
        super();
        this.to = to;
    }
    get empty() { return this.to().empty; }
    get size() { return this.to().size; }
    read(r) { return this.to().read(r); }
    write(w, v) { this.to().write(w, v); }
    skip(r) { this.to().skip(r); }
    zero() { return this.to().zero(); }
    key(v) { return this.to().key(v); }
}
// The parts of generated modules
export const bool = new Bool();
export const bigint = new BigInteger();
export const time = new TimeCodec();
export const timeUTC = new LayoutTime(false);
export const timeLocation = new LayoutTime(true);
export const integer = (signed, bits, coding) => new Narrow(signed, bits, coding);
export const integer64 = (signed, coding) => new Wide(signed, 64, coding);
export const float = (bits, coding) => new Float(bits, coding === "little");
export const complex = (bits, coding) => new ComplexCodec(new Float(bits, coding === "little"));
export const string = (form) => new Text(form);
export const bytes = (form) => new Bytes(form, false);
export const text = new Text("uvarint");
export const binary = new Bytes("uvarint", true);
export const skip = (count) => new Skip(count);
export const array = (count, elem) => new Fixed(count, elem);
export const list = (form, elem) => new List(form, elem);
export const map = (form, key, elem) => new MapCodec(form, key, elem);
export const pairs = (form, key, elem) => new Pairs(form, key, elem);
export const optional = (elem) => new Optional(elem);
export const some = (elem) => new SomeCodec(elem);
export const raw = (form, elem) => new RawCodec(form, elem);
export const union = (tag, cases) => new Union(tag, cases);
export const lazy = (to) => new Lazy(to);
export const struct = (fields) => new Struct(fields, false);
export const evolving = (fields, unknown) => new Struct(fields, true, unknown);
export const field = (name, property, codec) => ({ name, property, codec });
export const skipped = (count) => ({ name: "", codec: new Skip(count) });
export const removed = (name, codec, zero) => ({ name, codec, removed: unhex(zero) });
// Streams
/** Returns the records of a stream, each after its length: their bytes, for decode. */
export function* records(stream) {
    const r = new Reader(stream);
    while (r.pos < r.end)
        yield r.block("uvarint");
}
/** Returns a record of a stream: a length, and the bytes, which are a result of encode. */
export function record(encoded) {
    const w = new Writer();
    w.block(encoded, "uvarint");
    return w.bytes.slice(0, w.pos);
}
