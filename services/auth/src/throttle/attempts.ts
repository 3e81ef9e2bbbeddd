import { CarrelError } from "@carrel/contracts";
import { Throttle, type Bucket } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { SecretHasher } from "../secret/secret-hasher.ts";
import { addressGroup } from "./address.ts";

/** Whose try it is. */
export interface Attempt {
  /** Tries of one kind do not use up those of another. */
  kind: "login" | "code" | "recovery" | "token";
  /** Where it comes from, as the gateway trusts it. */
  address: string | null | undefined;
  /** What it is a try at; absent where the secret alone says it. */
  account?: string;
  /**
   * A browser or session that is known to belong to the account: it has tries of its own, which
   * nobody else can use up.
   */
  known?: string | undefined;
}

const second = 1_000;
/** Wrong tries at once, and how long until one more; docs/decisions/sign-in.md. */
const limits = {
  addressAndAccount: { capacity: 10, refillMs: 6 * second },
  account: { capacity: 30, refillMs: 60 * second },
  address: { capacity: 100, refillMs: 3 * second },
  known: { capacity: 10, refillMs: 6 * second },
  /** One-time codes are short, so whoever has the password gets fewer tries at them. */
  code: { capacity: 10, refillMs: 300 * second },
};
/** What the work throws when the secret was wrong; other refusals were no try. */
const wrong: readonly string[] = ["PASSWORD_WRONG", "UNAUTHENTICATED", "BAD_INPUT"];

/**
 * Slows guessing, across replicas: a try is counted before the secret is looked at, and given back
 * when the secret was right.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly throttle: Throttle,
    private readonly secrets: SecretHasher,
  ) {}

  /**
   * Runs `work` if a try is left, else TOO_MANY_ATTEMPTS with `details.retryAfter` in seconds. The
   * try stays counted when
   * `isRight` says no, or when the work throws PASSWORD_WRONG, UNAUTHENTICATED, BAD_INPUT or what
   * is no refusal at all.
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
        "TOO_MANY_ATTEMPTS",
        `Too many attempts. Try again in ${retryAfter === 1 ? "a second" : `${retryAfter} seconds`}.`,
        { details: { retryAfter } },
      );
    }
    // What nobody foresaw counts too: an input that breaks something behind the check must not make
    // tries free.
    let counts = true;
    try {
      const result = await work();
      counts = !isRight(result);
      return result;
    } catch (error) {
      counts = !(error instanceof CarrelError) || wrong.includes(error.code);
      throw error;
    } finally {
      // Not given back is only slower for the person; the answer to a right secret must not fail
      // for it.
      if (!counts) await this.throttle.giveBack(buckets).catch(() => undefined);
    }
  }

  private buckets({ kind, address, account, known }: Attempt): Bucket[] {
    if (known !== undefined)
      return [{ key: `${kind}:known:${known}`, ...(kind === "code" ? limits.code : limits.known) }];
    const group = addressGroup(address);
    const byAddress = { key: `address:${group}`, ...limits.address };
    if (account === undefined) return [byAddress];
    // Names are typed by anyone, so keys are made from them that have one length and tell nothing.
    const name = this.secrets.hash("device", `account\0${account}`);
    if (kind === "code") return [{ key: `code:account:${name}`, ...limits.code }];
    return [
      { key: `${kind}:both:${group}:${name}`, ...limits.addressAndAccount },
      { key: `${kind}:account:${name}`, ...limits.account },
      byAddress,
    ];
  }
}
