import { hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

/** The environment is invalid; `faults` lists every problem so that all can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(`The environment is invalid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  }
}

/** Prints the faults and returns the error for the caller to throw. */
export function refused(faults: readonly string[]): ConfigError {
  const error = new ConfigError(faults);
  process.stderr.write(`${error.message}\n`);
  return error;
}

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
  | "fingerprint"
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

const keyFile = ({ CARREL_HOME }: SecretConfig): string => join(CARREL_HOME, "secret.key");
/** Holds the next secret while `rotate-secret` replaces the key file. */
export const nextKeyFile = (config: SecretConfig): string => `${keyFile(config)}-next`;

type SecretConfig = { CARREL_SECRET?: Secret; CARREL_SECRET_OTHER?: Secret; CARREL_HOME: string };

/** Identifies the instance secret without revealing it; recorded in the database. */
export const secretFingerprint = (secret: Secret): string =>
  deriveKey(secret, "fingerprint").toString("base64url");

/** Short form of a fingerprint, which tells an instance's secrets apart in names. */
export const secretMark = (fingerprint: string): string => fingerprint.slice(0, 10);

/** The instance secret: `CARREL_SECRET` if set, otherwise the key file `<home>/secret.key`. */
export function findSecret(config: SecretConfig): Secret | null {
  return config.CARREL_SECRET ?? readKeyFile(keyFile(config));
}

/**
 * The second secret that is accepted during a rotation, or null: `CARREL_SECRET_OTHER`, or the next
 * key file if the secret is a key file.
 */
export function otherSecret(config: SecretConfig): Secret | null {
  if (config.CARREL_SECRET_OTHER) return config.CARREL_SECRET_OTHER;
  return config.CARREL_SECRET ? null : readKeyFile(nextKeyFile(config));
}

function readKeyFile(path: string): Secret | null {
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
}

/**
 * The instance secret; the key file is created (0600) on first use. Safe to call from several
 * processes on a fresh folder: a hard link decides whose key wins.
 */
export function instanceSecret(config: SecretConfig): Secret {
  const present = findSecret(config);
  if (present) return present;
  const path = keyFile(config);
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
  const made = findSecret(config);
  if (!made) throw new Error(`The key file ${path} disappeared while it was being created.`);
  return made;
}

/**
 * The secrets that this process accepts: what it seals and signs uses the first, what it opens may
 * use any. There are two while the secret is rotated (docs/runbooks/rotate-secrets.md).
 */
export function acceptedSecrets(config: SecretConfig): [Secret, ...Secret[]] {
  const [first, other] = [instanceSecret(config), otherSecret(config)];
  return other === null || other.reveal() === first.reveal() ? [first] : [first, other];
}

/** `deriveKey` of each accepted secret, in the same order. */
export function acceptedKeys(
  config: SecretConfig,
  purpose: KeyPurpose,
  name = "",
): [Buffer, ...Buffer[]] {
  const [first, ...others] = acceptedSecrets(config);
  return [
    deriveKey(first, purpose, name),
    ...others.map((secret) => deriveKey(secret, purpose, name)),
  ];
}

/**
 * The secret of a process that runs one service. It must be given: a key created here would differ
 * from that of the other processes.
 */
export function sharedSecret(config: SecretConfig): Secret {
  const given = findSecret(config);
  if (given) return given;
  throw refused([
    `CARREL_SECRET: is required where services run as separate processes. Set it (or CARREL_SECRET_FILE) to the same text of at least 32 characters for all of them; an instance that ran in one process has its secret in secret.key in its data folder`,
  ]);
}
