import { ReasoningSplitter } from "../reasoning/split-reasoning.ts";
import type { StreamPart } from "../spec/stream-part.ts";

type TextType = "text-delta" | "reasoning-delta";

/**
 * Parts that a reader has found in the vendor's events. Filled without generators in between: an
 * answer has hundreds of events, and each step per event counts.
 */
export class PartQueue {
  /** How many parts and pieces of text have been added. */
  added = 0;
  private parts: StreamPart[] = [];
  private readonly splitter = new ReasoningSplitter({
    text: (piece) => this.append("text-delta", piece),
    reasoning: (piece) => this.append("reasoning-delta", piece),
    textWasReasoning: () => this.parts.push({ type: "text-was-reasoning" }),
  });

  /**
   * @param joins whether successive pieces of text become one part: each part costs its receiver
   *   about as much as reading it from the vendor's bytes
   */
  constructor(private readonly joins: boolean) {}

  add(part: StreamPart): void {
    if (part.type === "finish" || part.type === "tool-call-start") this.splitter.flush();
    this.added++;
    this.parts.push(part);
  }

  /**
   * Adds a piece of text, unless it is empty or missing. Reasoning that the model marked in its
   * text becomes reasoning.
   */
  addText(type: TextType, text: string | null | undefined): void {
    if (!text) return;
    this.added++;
    if (type === "text-delta") this.splitter.addText(text);
    else this.splitter.addReasoning(text);
  }

  /** Adds text that was held back in case it was the beginning of a mark. */
  flush(): void {
    this.splitter.flush();
  }

  take(): StreamPart[] {
    const taken = this.parts;
    this.parts = [];
    return taken;
  }

  private append(type: TextType, text: string): void {
    if (text === "") return;
    const last = this.joins ? this.parts.at(-1) : undefined;
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
  }
}
