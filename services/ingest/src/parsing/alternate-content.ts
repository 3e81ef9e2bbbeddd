/**
 * Alternatives for one piece of content (`mc:AlternateContent`): a newer form, and what older
 * versions show instead. The first one with content is read, so that nothing comes twice.
 */
export class AlternateContent {
  private readonly alternatives: { shownBefore: number; hasChoice: boolean }[] = [];

  /** Says that an element starts; whether to leave it out. `shown` counts what has been shown. */
  skips(name: string, shown: number): boolean {
    if (name === "AlternateContent")
      this.alternatives.push({ shownBefore: shown, hasChoice: false });
    const innermost = this.alternatives.at(-1);
    if (!innermost || (name !== "Choice" && name !== "Fallback")) return false;
    const isRead = innermost.hasChoice && shown > innermost.shownBefore;
    innermost.hasChoice = true;
    return isRead;
  }

  close(name: string): void {
    if (name === "AlternateContent") this.alternatives.pop();
  }
}
