// Prints what the Khronos validator finds in each file that is named: a JSON array of its reports.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { validateBytes } from "gltf-validator";

const reports = process.argv.slice(2).map((path) =>
  validateBytes(new Uint8Array(readFileSync(path)), {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(resolve(dirname(path), decodeURIComponent(uri)))),
  }),
);
console.log(JSON.stringify(await Promise.all(reports)));
