// Run inside an image of Carrel: all its native code loads, and its lists of contents are complete. Prints what is wrong.
import { accessSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const faults = [];
for (const file of ["NOTICE", "LICENSE", "sbom.cdx.json", "licenses"])
  try {
    accessSync(`/app/${file}`);
  } catch {
    faults.push(`there is no ${file}`);
  }
if (process.getuid() === 0) faults.push("runs as root");

// Each Debian package has its record and its licence.
for (const record of globSync("/var/lib/dpkg/status.d/*")) {
  const name = record.split("/").at(-1);
  if (globSync(`/usr/share/doc/${name}/copyright`).length === 0)
    faults.push(`${name} has no licence`);
}

const { components } = JSON.parse(readFileSync("/app/sbom.cdx.json", "utf8"));
const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
for (const { name, licenses } of components)
  if (!licenses) faults.push(`the licence of ${name} isn't listed`);
// Some packages have further package.json files without a version.
for (const file of globSync("/app/**/node_modules/{@*/*,[!@]*}/package.json")) {
  const { name, version } = JSON.parse(readFileSync(file, "utf8"));
  const isOwn = name?.startsWith("@carrel/");
  if (version && !isOwn && !listed.has(`${name}@${version}`)) faults.push(`${name} isn't listed`);
}

const natives = globSync("/app/**/*.node");
for (const file of natives)
  try {
    require(file);
  } catch (error) {
    faults.push(`${file} doesn't load: ${error.message}`);
  }

for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stderr.write(`${components.length} components, ${natives.length} native modules\n`);
process.exit(faults.length > 0 ? 1 : 0);
