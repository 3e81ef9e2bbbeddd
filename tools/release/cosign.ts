import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../process.ts";
import { PlainError } from "../terminal.ts";
import type { ReleasedImage } from "./plan.ts";
import { cosignFile, sumsFile } from "./signature.ts";

async function cosign(...args: string[]): Promise<string> {
  const { code, output } = await runCommand(process.env.CARREL_COSIGN ?? "cosign", args);
  if (code === 127)
    throw new PlainError(
      "cosign isn't installed.\nWhat to do: install it, or sign with an Ed25519 key (--key).",
    );
  if (code !== 0)
    throw new PlainError(
      `cosign ${args[0]!} failed:\n${output.trimEnd().split("\n").slice(-6).join("\n")}`,
    );
  return output;
}

/**
 * Without an authority, a log or a timestamp server, nothing is written to a public log: a release
 * may be private. cosign has no switch for that: 3.0.2 ignores `--tlog-upload=false`, and 3.0.4
 * refuses it.
 */
const noServices = JSON.stringify({
  mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
});
const leastVersion = [3, 0, 4];

async function signWith(key: string, command: string, ...args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-cosign-"));
  try {
    const config = join(folder, "signing-config.json");
    writeFileSync(config, noServices);
    await cosign(command, "--yes", "--signing-config", config, "--key", key, ...args);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const signFile = (file: string, bundle: string, key: string): Promise<void> =>
  signWith(key, "sign-blob", "--bundle", bundle, file);

/**
 * Signs something with the key, so that nothing is built or pushed that can't be signed. Throws a
 * PlainError if cosign is missing or too old, or if it can't use the key.
 */
export async function checkCosign(key: string): Promise<void> {
  const version = /^GitVersion:\s*v?(\d+)\.(\d+)\.(\d+)/m.exec(await cosign("version"));
  const numbers = (version ?? []).slice(1).map(Number);
  const at = leastVersion.findIndex((least, index) => numbers[index] !== least);
  if (version === null || (at >= 0 && numbers[at]! < leastVersion[at]!))
    throw new PlainError(
      `cosign ${leastVersion.join(".")} or newer is needed, to sign without a public log; this one is ${version === null ? "of an unknown version" : numbers.join(".")}.`,
    );
  const folder = mkdtempSync(join(tmpdir(), "carrel-cosign-"));
  try {
    const file = join(folder, "trial");
    writeFileSync(file, "");
    await signFile(file, join(folder, "bundle.json"), key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const signBlob = (folder: string, key: string): Promise<void> =>
  signFile(join(folder, sumsFile), join(folder, cosignFile), key);

/**
 * Signs pushed images by digest and attaches the list of their software. Done again for the same
 * images, they have each signature twice, which verifies like one.
 */
export async function signImages(
  folder: string,
  images: readonly ReleasedImage[],
  key: string,
): Promise<void> {
  for (const { published, sbom } of images) {
    if (published === null) continue;
    await signWith(key, "sign", published);
    await signWith(
      key,
      "attest",
      ...["--type", "cyclonedx", "--predicate", join(folder, sbom), published],
    );
  }
}
