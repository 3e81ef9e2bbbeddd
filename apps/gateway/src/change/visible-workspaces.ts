const trustMs = 5_000;

/** Workspaces one reader may use, loaded when a frame needs them and cached briefly. */
export class VisibleWorkspaces {
  private known: { ids: Promise<ReadonlySet<number>>; until: number } | null = null;

  constructor(private readonly ask: () => Promise<readonly number[]>) {}

  forget(): void {
    this.known = null;
  }

  async has(workspaceId: number): Promise<boolean> {
    if (this.known === null || this.known.until < Date.now()) {
      const asked = { ids: this.ask().then((ids) => new Set(ids)), until: Date.now() + trustMs };
      this.known = asked;
      asked.ids.catch(() => {
        if (this.known === asked) this.known = null;
      });
    }
    return (await this.known.ids).has(workspaceId);
  }
}
