import { randomBytes } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { SecretHasher } from "../secret/secret-hasher.ts";

const form = /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** An account, or the instance (`id` null), with its stored password hash. */
export interface Account {
  id: number | null;
  passwordHash: string | null;
}

/**
 * Signed proof that a browser signed in to an account with its current password, so that other
 * people's failed attempts do not lock it out. It contains the account id (0 is the instance) and
 * grants no access, only separate attempts. A new password invalidates older proofs, so knowing the
 * old one gives no advantage.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly secrets: SecretHasher) {}

  /** Returns the given proof if it is valid for this account, otherwise a new one. */
  prove(account: Account, present?: string): string {
    if (present !== undefined && this.identify(account, present) !== undefined) return present;
    const named = `${account.id ?? 0}.${randomBytes(16).toString("base64url")}`;
    return `${named}.${this.secrets.hash("device", signed(named, account))}`;
  }

  /**
   * Returns which of the account's browsers it is; undefined if the proof is missing, forged,
   * outdated or for another account.
   */
  identify(account: Account, proof: string | undefined): string | undefined {
    const [, id, device, signature] = form.exec(proof ?? "") ?? [];
    const named = `${id}.${device}`;
    return id === String(account.id ?? 0) &&
      this.secrets.matches("device", signed(named, account), signature!)
      ? named
      : undefined;
  }
}

const signed = (named: string, { passwordHash }: Account): string =>
  `${named}\0${passwordHash ?? ""}`;
