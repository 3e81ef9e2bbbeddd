import { heldLength } from "./reasoning-marks.ts";
import type { ReasoningSink } from "./reasoning-sink.ts";

const tokens = ["start", "channel", "message", "constrain", "end", "return", "call"].map(
  (name) => `<|${name}|>`,
);
const anyToken = /<\|(start|channel|message|constrain|end|return|call)\|>/;

/** How an answer in channels begins. */
export const harmonyStarts = ["<|start|>", "<|channel|>"];

/**
 * The channels of gpt-oss (OpenAI's harmony format), from servers that pass them on as text:
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
 * The final channel and commentary for the user are text; everything else is reasoning, also the
 * input of calls.
 */
export class HarmonyChannels {
  private held = "";
  /** What precedes a message; null within one. */
  private header: string | null = "";
  /** Where in the header the channel is named; -1: nowhere. */
  private channelAt = -1;
  private isShown = true;

  constructor(private readonly sink: ReasoningSink) {}

  push(added: string): void {
    let text = this.held + added;
    this.held = "";
    for (let found = anyToken.exec(text); found !== null; found = anyToken.exec(text)) {
      this.add(text.slice(0, found.index));
      this.readToken(found[1]!);
      text = text.slice(found.index + found[0].length);
    }
    const shown = text.length - heldLength(text, tokens);
    this.add(text.slice(0, shown));
    this.held = text.slice(shown);
  }

  end(): void {
    this.add(this.held);
    this.held = "";
  }

  private readToken(token: string): void {
    if (token === "message") {
      const header = this.header ?? "";
      const channel =
        this.channelAt === -1 ? "final" : /^\w*/.exec(header.slice(this.channelAt))![0];
      this.isShown = channel === "final" || (channel === "commentary" && !header.includes("to="));
      this.header = null;
    } else if (token === "channel") {
      this.header ??= "";
      this.channelAt = this.header.length;
    } else if (token !== "constrain") {
      this.header = "";
      this.channelAt = -1;
    }
  }

  private add(text: string): void {
    if (text === "") return;
    if (this.header !== null) this.header += text;
    else if (this.isShown) this.sink.text(text);
    else this.sink.reasoning(text);
  }
}
