import { randomBytes } from "node:crypto";
import { CarrelError, type ErrorKind } from "@carrel/contracts";
import { Throttle, addressGroup, toUnavailable, type Bucket } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { SecretHasher, SecretModule } from "../secret/secret-hasher.ts";

const form = /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** An account, or the instance (`id` null), with its stored password hash. */
interface Account {
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

/** Who makes an attempt, and on which account. */
export interface Attempt {
  /** Each kind has separate limits. */
  kind: "login" | "code" | "recovery" | "token";
  /** Client address as determined by the gateway. */
  address: string | null | undefined;
  /** Account being tried; absent if the secret alone identifies it. */
  account?: string;
  /**
   * A browser or session known to belong to the account; it has its own attempts, which others
   * can't use up.
   */
  known?: string | undefined;
}

const second = 1_000;
/** Burst of failed attempts, and time to earn one more; docs/decisions/sign-in.md. */
const limits = {
  addressAndAccount: { capacity: 10, refillMs: 6 * second },
  account: { capacity: 30, refillMs: 60 * second },
  address: { capacity: 100, refillMs: 3 * second },
  known: { capacity: 10, refillMs: 6 * second },
  /** One-time codes are short, so someone who has the password gets fewer attempts. */
  code: { capacity: 10, refillMs: 300 * second },
};
/** Errors that mean the secret was wrong; other refusals do not count. */
const wrong: ReadonlySet<ErrorKind> = new Set(["PASSWORD_WRONG", "UNAUTHENTICATED", "BAD_INPUT"]);

/**
 * Limits guessing across replicas: an attempt is counted before the secret is checked and refunded
 * if it was correct.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly throttle: Throttle,
    private readonly secrets: SecretHasher,
  ) {}

  /**
   * Runs `work` if an attempt is left, otherwise throws TOO_MANY_ATTEMPTS with `retryAfter` in
   * seconds. The attempt stays counted if `isRight` returns false, or if the work throws
   * PASSWORD_WRONG, UNAUTHENTICATED, BAD_INPUT or anything that is neither a CarrelError nor a lost
   * database.
   */
  async count<T>(
    attempt: Attempt,
    work: () => Promise<T>,
    isRight: (result: T) => boolean = () => true,
  ): Promise<T> {
    const buckets = this.buckets(attempt);
    const wait = await this.throttle.take(buckets);
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / second);
      throw new CarrelError(
        "access.too-many-attempts",
        { seconds: retryAfter, wait: retryAfter === 1 ? "a second" : `${retryAfter} seconds` },
        { retryAfter },
      );
    }
    // Unexpected errors count too: an input that breaks something behind the check must not make
    // attempts free.
    let counts = true;
    try {
      const result = await work();
      counts = !isRight(result);
      return result;
    } catch (error) {
      counts =
        error instanceof CarrelError
          ? wrong.has(error.kind) || error.code === "invite.unusable"
          : toUnavailable(error) === null;
      throw error;
    } finally {
      // A failed refund only slows the person down; it must not fail the reply to a correct secret.
      if (!counts) await this.throttle.refund(buckets).catch(() => undefined);
    }
  }

  private buckets({ kind, address, account, known }: Attempt): Bucket[] {
    if (known !== undefined)
      return [{ key: `${kind}:known:${known}`, ...(kind === "code" ? limits.code : limits.known) }];
    const group = addressGroup(address);
    const byAddress = { key: `address:${group}`, ...limits.address };
    if (account === undefined) return [byAddress];
    // Anyone can type any name, so keys are hashed: fixed length, revealing nothing.
    const name = this.secrets.hash("device", `account\0${account}`);
    if (kind === "code") return [{ key: `code:account:${name}`, ...limits.code }];
    return [
      { key: `${kind}:both:${group}:${name}`, ...limits.addressAndAccount },
      { key: `${kind}:account:${name}`, ...limits.account },
      byAddress,
    ];
  }
}

@Module({
  imports: [SecretModule],
  providers: [Attempts, KnownDevices],
  exports: [Attempts, KnownDevices],
})
export class ThrottleModule {}
