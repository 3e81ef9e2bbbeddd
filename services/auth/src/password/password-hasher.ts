import { randomBytes } from "node:crypto";
import { CarrelError } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { hash, verify, type Algorithm } from "@node-rs/argon2";

/** The package's own word is a const enum, which isolated modules cannot read. */
const argon2id = 2 as Algorithm.Argon2id;
/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Each takes 19 MiB and a core for some milliseconds; more at once would only queue in the thread
 * pool and starve the rest of the process.
 */
const atOnce = 2;
const waitingAtMost = 64;
const waitAtMostMs = 10_000;

const text = (bytes: number): string => randomBytes(bytes).toString("base64").replaceAll("=", "");
/** Of the same cost as a real one, and made of chance: no password fits. */
const hashOfNobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${text(16)}$${text(32)}`;

/**
 * argon2id, two at a time in this replica. Who finds the waiting room full, or waits longer than 10
 * s, gets BUSY with `details.retryAfter` (seconds).
 */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normal(password), cost));
  }

  /**
   * With null (no such user, or one without a password) it takes as long as with a hash, and is
   * false.
   */
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
      // The turn is handed on rather than given back, so that nobody who comes now overtakes who
      // waits.
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
  new CarrelError("BUSY", "Too many sign-ins at once. Try again in a moment.", {
    details: { retryAfter: 2 },
  });
