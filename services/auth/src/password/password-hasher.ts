import { randomBytes } from "node:crypto";
import { CarrelError } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { hash, verify, type Algorithm } from "@node-rs/argon2";

/** The package exports a const enum, which isolated modules cannot read. */
const argon2id = 2 as Algorithm.Argon2id;
/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Each hash takes 19 MiB and a core for some milliseconds; running more at once would only fill the
 * thread pool and starve the rest of the process.
 */
const atOnce = 2;
const waitingAtMost = 64;
const waitAtMostMs = 10_000;

const text = (bytes: number): string => randomBytes(bytes).toString("base64").replaceAll("=", "");
/** Costs as much as a real hash but is random, so no password matches. */
const hashOfNobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${text(16)}$${text(32)}`;

/**
 * argon2id, two at a time per replica. If the queue is full or the wait exceeds 10 s, it throws
 * BUSY with `details.retryAfter` in seconds.
 */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normal(password), cost));
  }

  /** With null (no such user, or no password) it takes as long as with a hash and returns false. */
  verify(passwordHash: string | null, password: string): Promise<boolean> {
    return this.inTurn(
      async () =>
        (await verify(passwordHash ?? hashOfNobody, normal(password))) && passwordHash !== null,
    );
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < atOnce) this.running += 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      // Hand the slot to the next waiter instead of freeing it, so that newcomers cannot jump the
      // queue.
      const [next] = this.waiting;
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.size >= waitingAtMost) throw busy();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(busy());
      }, waitAtMostMs);
      this.waiting.add(enter);
    });
  }
}

/** NFC: the same password typed on two systems may arrive composed or decomposed. */
const normal = (password: string): string => password.normalize("NFC");
const busy = (): CarrelError =>
  new CarrelError(
    "password.hashing-busy",
    {},
    {
      retryAfter: 2,
    },
  );
