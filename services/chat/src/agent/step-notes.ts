/** Shows what a call says about itself: at once, and then at most once in `everyMs`. */
export class StepNotes {
  private shownAt = -Infinity;
  private latest: string | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly show: (text: string) => void,
    private readonly everyMs = 500,
  ) {}

  add(text: string): void {
    this.latest = text;
    this.timer ??= setTimeout(
      () => this.showLatest(),
      Math.max(0, this.shownAt + this.everyMs - performance.now()),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private showLatest(): void {
    this.timer = undefined;
    this.shownAt = performance.now();
    this.show(this.latest!);
  }
}
