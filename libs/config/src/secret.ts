import { hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

/**
 * A value that never appears in logs: however it is printed, it shows as `***`, and only `reveal()`
 * returns the text.
 */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return "***";
  }
  toJSON(): string {
    return "***";
  }
  [inspect.custom](): string {
    return "***";
  }
}

export type KeyPurpose =
  | "secrets"
  | "messages"
  | "columns"
  | "tokens"
  | "links"
  | "database"
  | "traces";

/**
 * HKDF-SHA-256 subkey (32 bytes) of the instance secret: different for each purpose and, if given,
 * each `name` within it.
 */
export function deriveKey(secret: Secret, purpose: KeyPurpose, name = ""): Buffer {
  return Buffer.from(
    hkdfSync("sha256", secret.reveal(), "carrel", name ? `${purpose}:${name}` : purpose, 32),
  );
}

/**
 * The instance secret: `CARREL_SECRET` if set, otherwise the key file `<home>/secret.key` (0600),
 * created on first use. Safe to call from several processes on a fresh folder: a hard link decides
 * whose key wins.
 */
export function instanceSecret(config: { CARREL_SECRET?: Secret; CARREL_HOME: string }): Secret {
  if (config.CARREL_SECRET) return config.CARREL_SECRET;
  const path = join(config.CARREL_HOME, "secret.key");
  const read = (): Secret | null => {
    try {
      const text = readFileSync(path, "utf8").trim();
      if (text.length < 32)
        throw new Error(
          `${path} is damaged: it must hold at least 32 characters. Restore it from a backup; stored keys cannot be read without it.`,
        );
      return new Secret(text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  };
  const present = read();
  if (present) return present;
  mkdirSync(config.CARREL_HOME, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  const made = read();
  if (!made) throw new Error(`The key file ${path} disappeared while it was being created.`);
  return made;
}
