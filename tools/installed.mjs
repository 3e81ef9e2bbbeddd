// Exits with 0 if node_modules already matches package-lock.json (after running npm by hand): npm
// keeps a copy of the lock that it installed. Runs before any package is installed, so it uses
// none.
import { readFileSync } from "node:fs";

try {
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const there = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")).packages;
  const missing = Object.entries(wanted).filter(
    ([path, entry]) =>
      path.includes("node_modules/") &&
      !entry.link &&
      !entry.optional &&
      !entry.devOptional &&
      (there[path]?.version !== entry.version ||
        (entry.integrity && there[path].integrity !== entry.integrity)),
  );
  // Optional packages for this machine, such as PostgreSQL's programs.
  const ours = Object.entries(wanted).filter(
    ([path, entry]) =>
      path.includes("node_modules/") &&
      (entry.optional || entry.devOptional) &&
      entry.integrity &&
      [entry.os ?? process.platform].flat().includes(process.platform) &&
      [entry.cpu ?? process.arch].flat().includes(process.arch) &&
      !entry.libc &&
      there[path] &&
      there[path].version !== entry.version,
  );
  const links = Object.entries(wanted).filter(([path, entry]) => entry.link && !there[path]);
  process.exit(missing.length + ours.length + links.length === 0 ? 0 : 1);
} catch {
  process.exit(1); // not installed, or the installation was interrupted
}
