import { randomBytes } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { SecretHasher } from "../secret/secret-hasher.ts";

const form = /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** An account, or the instance (`id` null), and the password that is kept for it. */
export interface Account {
  id: number | null;
  passwordHash: string | null;
}

/**
 * Signed proof that a browser signed in to an account with the password that it has now, so that
 * strangers' wrong tries
 * do not keep it out. It names the account (0 is the instance) and opens nothing: with it a browser
 * only has tries of its
 * own. A new password ends the proofs of the old one: who knew that one has no better chances at
 * the next.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly secrets: SecretHasher) {}

  /** A new proof, or the given one while it is good for this account. */
  prove(account: Account, present?: string): string {
    if (present !== undefined && this.identify(account, present) !== undefined) return present;
    const named = `${account.id ?? 0}.${randomBytes(16).toString("base64url")}`;
    return `${named}.${this.secrets.hash("device", signed(named, account))}`;
  }

  /**
   * Which of the account's browsers it is; undefined where the proof is missing, forged, outdated
   * or for another account.
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
