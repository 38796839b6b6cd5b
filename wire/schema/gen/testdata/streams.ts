// Reads the containers of wire/testdata/containers from the standard input, writes them again, and prints both
// as JSON. Then it reads streams of records.
import { readFileSync } from "node:fs";
import { ContainerError, ContainerWriter, LossError, StreamError, gzip, readContainer, readRecords } from "./hone-stream.js";
import type { Loss, Summary } from "./hone-stream.js";

interface Vector {
  bytes: string;
  fingerprint: string;
  writing?: { marker: string; schema?: string; blockSize: number };
}

const hex = (b: Uint8Array): string => Buffer.from(b).toString("hex");
const unhex = (s: string): Uint8Array => new Uint8Array(Buffer.from(s, "hex"));

async function* cut(b: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < b.length; i += size) yield b.subarray(i, i + size);
}

function streamed(b: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(c) {
      if (at >= b.length) c.close();
      else c.enqueue(b.slice(at, (at += 1000)));
    },
  });
}

async function main(): Promise<void> {
  const { containers } = JSON.parse(readFileSync(0, "utf8")) as { containers: Vector[] };
  const out: unknown[] = [];
  for (const v of containers) {
    const bytes = unhex(v.bytes);
    const all: string[] = [];
    const results: { events: unknown[]; closed: boolean }[] = [];
    let records: Uint8Array[] = [];
    for (const source of [bytes, [bytes], cut(bytes, 7), streamed(bytes)]) {
      const events: unknown[] = [];
      records = [];
      const summary: Summary = { records: 0, lost: 0, closed: false };
      const onLoss = (loss: Loss) => events.push(loss);
      for await (const record of readContainer(source, { fingerprints: [v.fingerprint], onLoss, summary })) {
        events.push({ record: hex(record) });
        records.push(record);
      }
      results.push({ events, closed: summary.closed });
      all.push(JSON.stringify(results[results.length - 1]));
    }
    let written = "";
    if (v.writing !== undefined) {
      const { marker, schema = "", blockSize } = v.writing;
      const w = new ContainerWriter((b) => { written += hex(b); }, { fingerprint: v.fingerprint, marker: unhex(marker), schema, blockSize });
      for (const r of records) await w.write(r);
      await w.close();
    }
    let thrown = false;
    try {
      for await (const _ of readContainer(bytes, { fingerprints: null })); // the first loss is thrown
    } catch (error) {
      thrown = error instanceof LossError;
    }
    out.push({ ...results[0], same: all.every((one) => one === all[0]), written, thrown });
  }

  const zipped: Uint8Array[] = [];
  const w = new ContainerWriter((b) => zipped.push(b), { fingerprint: "0123456789abcdef", compression: gzip, blockSize: 500 });
  for (let i = 0; i < 300; i++) await w.write(Uint8Array.of(i & 0xff, 1, 2, 3));
  await w.close();
  let count = 0;
  for await (const record of readContainer(zipped, { fingerprints: ["0123456789abcdef"] })) {
    if (record[0] === (count & 0xff)) count++;
  }
  const notes = [`${count} records, ${zipped.length} parts`];
  for (const [name, source] of [["another schema", zipped], ["a text", unhex("74657874")], ["nothing", []]] as const) {
    try {
      for await (const _ of readContainer(source, { fingerprints: ["fedcba9876543210"] }));
      notes.push(name + ": is read");
    } catch (error) {
      notes.push(`${name}: ${error instanceof ContainerError ? error.message : String(error)}`);
    }
  }
  for (const [name, text] of [["whole", "0201610000"], ["torn", "020161056263"], ["a torn length", "02016183"], ["a bad length", "02016183000201"], ["over the limit", "0c" + "78".repeat(12) + "020162"]] as const) {
    const line: string[] = [];
    try {
      for await (const r of readRecords(cut(unhex(text), 2), { limit: 9, onSkip: (e) => line.push(e.message) })) line.push(hex(r));
    } catch (error) {
      line.push(error instanceof StreamError ? `${error.reason} ${error.message}` : String(error));
    }
    notes.push(`${name}: ${line.join("; ")}`);
  }
  console.log(JSON.stringify({ containers: out, notes }));
}

await main();
