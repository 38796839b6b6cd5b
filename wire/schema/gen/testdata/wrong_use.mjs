// Uses the containers wrongly, and prints the error of each use.

import { ContainerWriter, readContainer } from "./hone-stream.js";

const one = "0123456789abcdef";
const nothing = new Uint8Array(0);

function writing(options) {
  new ContainerWriter(() => {}, options);
}

for (const [name, use] of Object.entries({
  "no options": () => readContainer(nothing),
  "fingerprints is missing": () => readContainer(nothing, {}),
  "fingerprints is undefined": () => readContainer(nothing, { fingerprints: undefined }),
  "fingerprints is string": () => readContainer(nothing, { fingerprints: one }),
  "fingerprints has bytes": () => readContainer(nothing, { fingerprints: [nothing] }),
  "fingerprints has a short one": () => readContainer(nothing, { fingerprints: ["0123"] }),
  "fingerprints has upper case": () => readContainer(nothing, { fingerprints: [one.toUpperCase()] }),
  "writing without options": () => writing(),
  "fingerprint is missing": () => writing({}),
  "fingerprint is not hexadecimal": () => writing({ fingerprint: "0123456789abcdeg" }),
  "fingerprint is bytes": () => writing({ fingerprint: new Uint8Array(16) }),
  "schema is object": () => writing({ fingerprint: one, schema: { version: 1 } }),
})) {
  try {
    use();
    console.log(`${name}: no error`);
  } catch (error) {
    console.log(`${name}: ${error.name}: ${error.message}`);
  }
}
