import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { createReadStream, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PlainError } from "../terminal.ts";

export const sumsFile = "SHA256SUMS";
const signatureFile = `${sumsFile}.sig`;
export const cosignFile = `${sumsFile}.cosign.json`;
const unlisted = [sumsFile, signatureFile, cosignFile];

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Writes `SHA256SUMS` of all files of the folder, as `sha256sum -c` reads it. */
export async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of readdirSync(folder).sort())
    if (!unlisted.includes(name)) lines.push(`${await hashFile(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, sumsFile), lines.join(""));
}

function readKey<T>(file: string, read: (text: string) => T, kind: string): T {
  const text = readFileSync(file, "utf8");
  try {
    return read(text);
  } catch {
    throw new PlainError(`${file} contains no Ed25519 ${kind} key (PEM).`);
  }
}

/** A private key as `openssl genpkey -algorithm ed25519` writes it. */
export const readSigningKey = (file: string) =>
  readKey(
    file,
    (text) => {
      const key = createPrivateKey(text);
      if (key.asymmetricKeyType !== "ed25519") throw new Error("another algorithm");
      return key;
    },
    "private",
  );

/** Signs `SHA256SUMS`; the 64 bytes are what `openssl pkeyutl -verify -rawin` takes. */
export function signSums(folder: string, key: ReturnType<typeof readSigningKey>): void {
  writeFileSync(join(folder, signatureFile), sign(null, readFileSync(join(folder, sumsFile)), key));
}

/**
 * Returns how many files a release has. Throws a PlainError that says what is wrong: a signature by
 * another key, a changed, missing or unlisted file.
 */
export async function verifyRelease(folder: string, keyFile: string): Promise<number> {
  const key = readKey(keyFile, createPublicKey, "public");
  const sums = readFileSync(join(folder, sumsFile));
  if (!verify(null, sums, key, readFileSync(join(folder, signatureFile))))
    throw new PlainError(`${sumsFile} isn't signed by this key, or was changed.`);
  const listed = new Map(
    sums
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const present = readdirSync(folder).filter((name) => !unlisted.includes(name));
  const faults = [
    ...[...listed.keys()]
      .filter((name) => !present.includes(name))
      .map((name) => `${name} is missing`),
    ...present.filter((name) => !listed.has(name)).map((name) => `${name} isn't listed`),
  ];
  for (const name of present)
    if (listed.has(name) && (await hashFile(join(folder, name))) !== listed.get(name))
      faults.push(`${name} was changed`);
  if (faults.length > 0)
    throw new PlainError(`This isn't the release that was signed:\n${faults.join("\n")}`);
  return listed.size;
}
