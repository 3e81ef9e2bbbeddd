import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../checkout.ts";
import { PlainError } from "../terminal.ts";
import { dockerImages } from "./images.ts";
import { release } from "./release.ts";
import { verifyRelease } from "./signature.ts";

const usage = `Usage:
  ./carrel release --to <folder> (--key <file> | --cosign <key>) [--registry <prefix>] [--push]
  ./carrel release --to <folder> --dry-run [--key <file>]
  ./carrel release verify <folder> --key <public key>

Makes the version in package.json from a clean checkout: the images as <prefix>carrel-<service> and
<prefix>carrel, a list of the software in each (CycloneDX), one of npm's packages, the sources, the
notes from CHANGELOG.md, and checksums of all of these with a signature. --key is an Ed25519 key:
  openssl genpkey -algorithm ed25519 -out release.key
  openssl pkey -in release.key -pubout -out release.pub
--cosign signs with cosign 3.0.4 or newer, pushed images as well, and writes to no public log.

--push refuses a version that the registry has. It also pushes and signs what was made without it.
After a failure, the same command continues with the images that are built or pushed already.
--dry-run does everything but the images, and pushes nothing.

docs/release-checks.md says what to do before and after.`;

export async function releaseCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: "string" },
      key: { type: "string" },
      cosign: { type: "string" },
      registry: { type: "string", default: "" },
      push: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  if (positionals[0] === "verify" && positionals.length === 2 && values.key !== undefined) {
    const made = resolve(positionals[1]!);
    for (const file of [join(made, "SHA256SUMS"), resolve(values.key)])
      if (!existsSync(file)) throw new PlainError(`There is no ${file}.`);
    const count = await verifyRelease(made, resolve(values.key));
    return void process.stdout.write(`Verified: ${count} files are as they were signed.\n`);
  }
  const dryRun = values["dry-run"];
  if (positionals.length > 0 || values.to === undefined) throw new PlainError(usage);
  if (!dryRun && values.key === undefined && values.cosign === undefined)
    throw new PlainError("A release is signed.\nWhat to do: give --key or --cosign, or --dry-run.");
  if (dryRun && values.push) throw new PlainError("A dry run pushes nothing.");
  const folder = resolve(values.to);
  const version = await release(
    {
      checkout: root,
      folder,
      registry: values.registry,
      key: values.key === undefined ? undefined : resolve(values.key),
      cosignKey: values.cosign,
      push: values.push,
      dryRun,
    },
    dockerImages,
  );
  process.stdout.write(
    `Carrel ${version} is in ${folder}. ${describeSignature(values.key, values.cosign)}\n`,
  );
}

function describeSignature(key: string | undefined, cosignKey: string | undefined): string {
  const by = [
    ...(key === undefined ? [] : [`SHA256SUMS.sig (Ed25519, ${key})`]),
    ...(cosignKey === undefined ? [] : ["SHA256SUMS.cosign.json (cosign)"]),
  ];
  return by.length === 0 ? "It isn't signed." : `Its signature: ${by.join(" and ")}.`;
}
