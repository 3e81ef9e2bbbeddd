import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@carrel/config";
import { keyIdOf } from "./create-backup.ts";

/** Where `rotate-secret` keeps the secret before the present one, followed by its mark. */
export const previousKeyPrefix = "secret.key-previous_";

/** The kept file of a previous secret that fits a backup; undefined if there is none. */
export function findPreviousKey(home: string, keyId: string): string | undefined {
  return readdirSync(home)
    .filter((name) => name.startsWith(previousKeyPrefix))
    .map((name) => join(home, name))
    .find((file) => keyIdOf(new Secret(readFileSync(file, "utf8").trim())) === keyId);
}
