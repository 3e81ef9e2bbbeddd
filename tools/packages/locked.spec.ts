import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { addAddresses, listPackages } from "./locked.ts";
import { isUnneeded } from "./unneeded.ts";

const start = listPackages(root, "start");
const all = listPackages(root, "all");
const names = (paths: string[]): Set<string> =>
  new Set(paths.map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)));

it("a start installs what builds and runs Carrel, and nothing of the tests", () => {
  for (const name of ["rolldown", "vite", "@swc/core", "fastify", "react", "tar-stream"])
    expect(names(start)).toContain(name);
  for (const name of ["jest", "@playwright/test", "testcontainers", "axe-core", "eslint", "knip"]) {
    expect(names(start)).not.toContain(name);
    expect(names(all)).toContain(name);
  }
});

it("no machine installs packages for another, nor an embedded Chroma", () => {
  const foreign = process.platform === "linux" ? /win32|darwin|freebsd|android|-musl/ : /linux/;
  expect([...names(all)].filter((name) => foreign.test(name))).toEqual([]);
  expect([...names(all)].filter((name) => name.startsWith("chromadb-"))).toEqual([]);
});

it("addresses are those of the registry in use", () => {
  const integrity = "sha512-x";
  const lock = {
    packages: {
      "": { version: "1.0.0" },
      "libs/one": { version: "0.0.0" },
      "node_modules/@carrel/one": { resolved: "libs/one", link: true },
      "node_modules/react": { version: "19.3.1", integrity },
      "libs/one/node_modules/@scope/name": { version: "2.0.0", integrity },
      "node_modules/alias": { name: "tslib", version: "2.9.1", integrity },
    },
  };
  const { packages } = addAddresses(lock, "https://mirror.example/npm");
  expect(Object.values(packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    undefined,
    "libs/one",
    "https://mirror.example/npm/react/-/react-19.3.1.tgz",
    "https://mirror.example/npm/@scope/name/-/name-2.0.0.tgz",
    "https://mirror.example/npm/tslib/-/tslib-2.9.1.tgz",
  ]);
});

it("a start keeps code, data and licences, and drops what nothing reads", () => {
  for (const path of [
    "react/index.js",
    "one/LICENSE.md",
    "one/licenses/notice.md",
    "one/data/model.json",
    `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`,
    "tesseract.js-core/tesseract-core-simd.wasm",
    "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
    "mermaid/dist/chunks/mermaid.esm.min/chunk.mjs",
    "docx/dist/index.mjs",
    "recharts/es6/index.js",
    "pdfjs-dist/build/pdf.worker.min.mjs",
    "pdfjs-dist/legacy/build/pdf.worker.mjs",
    "prettier/plugins/estree.mjs",
    "prettier/plugins/typescript.mjs",
    "zlibjs/bin/node-zlib.js",
    "lucide-react/dist/esm/lucide-react.mjs",
    "@expo-google-fonts/inter/600SemiBold_Italic/Inter_600SemiBold_Italic.ttf",
  ])
    // A folder that matches is deleted whole.
    for (
      let part = path;
      part !== "";
      part = part.slice(0, part.lastIndexOf("/", part.length - 2) + 1)
    )
      expect([part, isUnneeded(part)]).toEqual([part, false]);
  for (const path of [
    "react/index.js.map",
    "one/README.md",
    "one/index.d.mts",
    "one/src/index.ts",
    "onnxruntime-node/bin/napi-v6/other/arm/libonnxruntime.so.1",
    "tesseract.js-core/tesseract-core-simd.wasm.js",
    "@tesseract.js-data/eng/4.0.0/",
    "mermaid/dist/mermaid.min.js",
    "docx/dist/index.umd.cjs",
    "recharts/umd/Recharts.js",
    "cytoscape/dist/cytoscape.esm.min.mjs",
    "pdfjs-dist/build/pdf.worker.mjs",
    "pdfjs-dist/legacy/build/pdf.sandbox.mjs",
    "prettier/plugins/markdown.mjs",
    "zlibjs/bin/zlib.min.js",
    "lucide-react/dist/cjs/",
    "typeorm/browser/",
    "@expo-google-fonts/inter/700Bold/",
  ])
    expect([path, isUnneeded(path)]).toEqual([path, true]);
});

it("packages that build an app have one version, whoever names them", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  for (const name of ["vite", "rolldown"])
    expect(Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))).toEqual([
      `node_modules/${name}`,
    ]);
});
