// Run after npm install. npm leaves out of the lock the optional packages of other platforms that
// the registry in use doesn't serve, and npm ci then rejects the lock as out of sync. This adds them.
// It also keeps npm from installing optional packages that this machine can't use or Carrel doesn't.
import fs from "node:fs";

const file = "package-lock.json";
const lock = JSON.parse(fs.readFileSync(file, "utf8"));
const locked = lock.packages;

const systems =
  /darwin|\bmac(?=-)|win32|windows|\bwin(?=-)|freebsd|android|openharmony|linux|aix|sunos|netbsd|openbsd|wasm32/;
const processors = /arm64|x64|ia32|arm|ppc64|s390x|riscv64|loong64|mips64el|wasm32/;
/** Platform names in package names that differ from npm's `os`. */
const systemNames = { mac: "darwin", win: "win32", windows: "win32", wasm32: "wasm" };

function readPlatform(name) {
  const [system = "none"] = systems.exec(name) ?? [];
  const [cpu] = processors.exec(name) ?? [];
  return { os: [systemNames[system] ?? system], ...(cpu ? { cpu: [cpu] } : {}) };
}

/**
 * Optional packages that Carrel never loads, by their path in the lock: an embedded Chroma, since
 * Carrel only connects to servers.
 */
const unused = /\/chromadb-js-bindings-/;

/** npm skips an optional package whose `os` isn't this machine's. */
function leaveOut(path, entry) {
  if (!entry.optional) return;
  if (unused.test(path)) {
    entry.os = ["none"];
    return;
  }
  // Some packages don't say which C library they need; otherwise npm installs both.
  const library = /-linux-.*(musl|gnu)/.exec(path)?.[1];
  if (library !== undefined) entry.libc ??= [library === "musl" ? "musl" : "glibc"];
}

/** Resolves like Node: in the package's own node_modules, then in each parent's. */
function isLocked(from, name) {
  for (let folder = from; ;) {
    if (locked[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
    if (!folder) return false;
    const end = folder.lastIndexOf("/node_modules/");
    folder = end < 0 ? "" : folder.slice(0, end);
  }
}

let added = 0;
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(locked))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(path, name)) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) {
      console.log(`Cannot pin ${name} ${version} of ${path}`);
      continue;
    }
    locked[`node_modules/${name}`] = {
      version,
      ...(dev ? { dev: true } : {}),
      optional: true,
      ...readPlatform(name),
    };
    added++;
    console.log(`Added ${name} ${version} for ${path}`);
  }

// Offered to x64, too, which has a smaller one for itself.
const arm = locked["node_modules/@node-llama-cpp/linux-arm64"];
if (arm) arm.cpu = ["arm64"];

for (const [path, entry] of Object.entries(locked)) leaveOut(path, entry);

// Sorted in npm's own order, so that its next run doesn't reorder anything.
lock.packages = Object.fromEntries(
  Object.entries(locked).sort(([a], [b]) => a.localeCompare(b, "en")),
);
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added`);
