import { keep, recall } from "../wire/browser-storage.ts";

/** A question whose answer was still being written when the page was left. */
export interface Unfinished {
  sessionId: string;
  question: string;
  /** Returns to the same answer (`EmbedApi.ask`). */
  key: string;
  /** The answer so far. */
  text: string;
  /** Messages before the question. */
  before: number;
}

/** Belongs to the tab, since another tab would continue the same answer twice. */
export class UnfinishedAnswer {
  private readonly name: string;

  constructor(embedId: string) {
    this.name = `carrel_${embedId}_unfinished`;
  }

  read(): Unfinished | null {
    try {
      return JSON.parse(recall(this.name, "sessionStorage") ?? "null") as Unfinished | null;
    } catch {
      return null;
    }
  }

  write(unfinished: Unfinished | null): void {
    keep(this.name, unfinished === null ? null : JSON.stringify(unfinished), "sessionStorage");
  }
}
