/** Long work yields to the event loop after this time, in ms. */
const maxTurnMs = 1;
/** Reading the clock costs about as much as adding a short row. */
const looksEvery = 8;

/** Divides long work into turns, so that searches and requests don't wait for it. */
export class Pause {
  private until = performance.now() + maxTurnMs;
  private calls = 0;

  get isDue(): boolean {
    return ++this.calls % looksEvery === 0 && performance.now() > this.until;
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.until = performance.now() + maxTurnMs;
  }
}
