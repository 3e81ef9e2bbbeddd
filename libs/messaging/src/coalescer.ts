/**
 * Joins small texts into fewer parts: the first goes out at once, later ones after `delayMs`
 * (default 15) together.
 * `flush` is awaited one after the other, so a slow stream makes larger parts instead of a longer
 * queue.
 */
export class Coalescer {
  readonly #flush: (text: string) => Promise<unknown>;
  readonly #delayMs: number;
  #text = "";
  #first = true;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(flush: (text: string) => Promise<unknown>, delayMs = 15) {
    this.#flush = flush;
    this.#delayMs = delayMs;
  }

  /** Throws what an earlier flush failed with. */
  push(text: string): void {
    if (this.#failure) throw this.#failure;
    this.#text += text;
    if (this.#first) {
      this.#first = false;
      this.#send();
    } else this.#timer ??= setTimeout(() => this.#send(), this.#delayMs);
  }

  /** Writes what is left and waits until all is written. */
  async finish(): Promise<void> {
    this.#send();
    await this.#writing;
    if (this.#text !== "") {
      this.#send();
      await this.#writing;
    }
    if (this.#failure) throw this.#failure;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const text = this.#text;
      this.#text = "";
      if (text === "" || this.#failure) return;
      try {
        await this.#flush(text);
      } catch (error) {
        this.#failure = error;
      }
    });
  }
}
