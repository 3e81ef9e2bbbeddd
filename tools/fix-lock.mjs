// Adds entries for optional platform packages that the registry in use did not serve, so that `npm
// ci` accepts the lock.
import fs from "node:fs";
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
const P = lock.packages;
let n = 0;
const guess = (name) => {
  const os = /darwin/.test(name)
    ? "darwin"
    : /win32|windows/.test(name)
      ? "win32"
      : /freebsd/.test(name)
        ? "freebsd"
        : /android/.test(name)
          ? "android"
          : /openharmony/.test(name)
            ? "openharmony"
            : /linux/.test(name)
              ? "linux"
              : /aix/.test(name)
                ? "aix"
                : /sunos/.test(name)
                  ? "sunos"
                  : /netbsd/.test(name)
                    ? "netbsd"
                    : /openbsd/.test(name)
                      ? "openbsd"
                      : /wasm32/.test(name)
                        ? "wasm"
                        : "none";
  const cpu = (/(arm64|x64|ia32|arm|ppc64|s390x|riscv64|loong64|mips64el|wasm32)/.exec(name) ??
    [])[1];
  return { os: [os], ...(cpu ? { cpu: [cpu] } : {}) };
};
for (const [at, p] of Object.entries(P))
  for (const [name, v] of Object.entries(p.optionalDependencies ?? {})) {
    let dir = at,
      found = false;
    for (;;) {
      if (P[(dir ? dir + "/" : "") + "node_modules/" + name]) {
        found = true;
        break;
      }
      const i = dir.lastIndexOf("/node_modules/");
      if (!dir) break;
      dir = i < 0 ? "" : dir.slice(0, i);
    }
    if (!found) {
      if (!/^\d+\.\d+\.\d+/.test(v)) {
        console.log("cannot pin", name, v, "of", at);
        continue;
      }
      P["node_modules/" + name] = {
        version: v,
        ...(p.dev ? { dev: true } : {}),
        optional: true,
        ...guess(name),
      };
      n++;
      console.log("added", name, v, "for", at);
    }
  }
lock.packages = Object.fromEntries(Object.entries(P).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
console.log(n, "entries added");
