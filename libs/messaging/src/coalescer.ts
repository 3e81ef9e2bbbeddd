/**
 * Merges small texts into fewer parts: the first is sent at once, later ones are batched for about
 * `delayMs` (default 15), ending together with those of other streams. Calls to `flush` never
 * overlap, so a slow stream gets larger parts instead of a longer queue.
 */
export class Coalescer {
  private text = "";
  private first = true;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(
    private readonly flush: (text: string) => Promise<unknown>,
    private readonly delayMs = 15,
  ) {}

  /** Throws the error of an earlier failed flush. */
  push(text: string): void {
    if (this.failure) throw this.failure;
    this.text += text;
    if (this.first) {
      this.first = false;
      this.send();
    } else this.timer ??= setTimeout(() => this.send(), untilBeat(this.delayMs));
  }

  /** Flushes the remaining text and waits until everything is written. */
  async finish(): Promise<void> {
    this.send();
    await this.writing;
    if (this.text !== "") {
      this.send();
      await this.writing;
    }
    if (this.failure) throw this.failure;
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(async () => {
      const text = this.text;
      this.text = "";
      if (text === "" || this.failure) return;
      try {
        await this.flush(text);
      } catch (error) {
        this.failure = error;
      }
    });
  }
}

/**
 * Ms until the next multiple of `delayMs` that is at least half of it away: streams with the same
 * delay flush in the same turn of the event loop, so that their parts are sent together.
 */
function untilBeat(delayMs: number): number {
  const left = delayMs - (performance.now() % delayMs);
  return Math.ceil(left < delayMs / 2 ? left + delayMs : left);
}
