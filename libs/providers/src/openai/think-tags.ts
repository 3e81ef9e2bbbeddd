import type { PartQueue } from "../http/part-queue.ts";

const open = "<think>";
const close = "</think>";

/** How much of the end of `text` may be the beginning of `mark`. */
function heldLength(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

/**
 * Separates the reasoning that an answer begins with: servers that don't parse their model's output
 * (llama.cpp, KoboldCpp, text-generation-webui, some hosts of open models) leave it in the text,
 * between `<think>` and `</think>`. Tags later in the text are text.
 */
export class ThinkTags {
  private state: "start" | "thinking" | "after" | "text" = "start";
  private held = "";

  add(text: string, parts: PartQueue): void {
    if (this.state === "text") parts.addText("text-delta", text);
    else if (text !== "") this.read(this.held + text, parts);
  }

  end(parts: PartQueue): void {
    parts.addText(this.state === "thinking" ? "reasoning-delta" : "text-delta", this.held);
    this.held = "";
  }

  private read(text: string, parts: PartQueue): void {
    this.held = "";
    switch (this.state) {
      case "start": {
        const begun = text.trimStart();
        if (begun.startsWith(open)) {
          this.state = "thinking";
          return this.read(begun.slice(open.length), parts);
        }
        if (open.startsWith(begun)) this.held = text;
        else {
          this.state = "text";
          parts.addText("text-delta", text);
        }
        return;
      }
      case "thinking": {
        const end = text.indexOf(close);
        if (end !== -1) {
          parts.addText("reasoning-delta", text.slice(0, end));
          this.state = "after";
          return this.read(text.slice(end + close.length), parts);
        }
        const shown = text.length - heldLength(text, close);
        parts.addText("reasoning-delta", text.slice(0, shown));
        this.held = text.slice(shown);
        return;
      }
      case "after": {
        const rest = text.trimStart();
        if (rest === "") return;
        this.state = "text";
        parts.addText("text-delta", rest);
        return;
      }
      case "text":
        parts.addText("text-delta", text);
    }
  }
}
