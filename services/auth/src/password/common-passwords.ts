import { readFileSync } from "node:fs";

const file = new URL("./common-passwords.txt", import.meta.url);
let known: ReadonlySet<string> | undefined;

/**
 * Whether guessing programs try this password first, in any case. The list is zxcvbn-ts's
 * (`tools/write-common-passwords.mjs`); read when someone first chooses a password.
 */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(readFileSync(file, "utf8").split("\n"));
  return known.has(password.normalize("NFKC").toLowerCase());
}
