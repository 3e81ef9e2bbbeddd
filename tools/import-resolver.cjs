// Import resolver for eslint-plugin-boundaries: packages of this repository to their source, relative imports as written.
const { existsSync, readdirSync } = require("node:fs");
const { isBuiltin } = require("node:module");
const { dirname, join, resolve } = require("node:path");

const root = resolve(__dirname, "..");
const folders = Object.fromEntries(
  ["libs", "services", "apps"].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => [`@carrel/${name}`, join(root, kind, name)]),
  ),
);

exports.interfaceVersion = 2;
exports.resolve = (source, file) => {
  if (isBuiltin(source)) return { found: true, path: null };
  const [, name, rest] = /^(@carrel\/[^/]+)(\/.*)?$/.exec(source) ?? [];
  if (name)
    return folders[name]
      ? { found: true, path: join(folders[name], rest ? `src${rest}` : "src/index.ts") }
      : { found: false };
  // packages from npm are judged by their names
  if (!source.startsWith(".")) return { found: false };
  const path = resolve(dirname(file), source);
  const found = [path, `${path}.ts`, `${path}.tsx`, join(path, "index.ts")].find((candidate) =>
    existsSync(candidate),
  );
  return found ? { found: true, path: found } : { found: false };
};
