import type { StreamPart } from "../spec/stream-part.ts";

/**
 * Parts that a reader has found in the vendor's events. Filled without generators in between: an
 * answer has hundreds of events, and each step per event counts.
 */
export class PartQueue {
  private parts: StreamPart[] = [];

  /**
   * @param joins whether successive pieces of text become one part: each part costs its receiver
   *   about as much as reading it from the vendor's bytes
   */
  constructor(private readonly joins: boolean) {}

  add(part: StreamPart): void {
    this.parts.push(part);
  }

  /** Adds a piece of text, unless it is empty or missing. */
  addText(type: "text-delta" | "reasoning-delta", text: string | null | undefined): void {
    if (!text) return;
    const last = this.joins ? this.parts.at(-1) : undefined;
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
  }

  take(): StreamPart[] {
    const taken = this.parts;
    this.parts = [];
    return taken;
  }
}
