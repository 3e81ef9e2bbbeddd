import { heldLength, type ReasoningSink } from "./reasoning-marks.ts";

const tokens = ["start", "channel", "message", "constrain", "end", "return", "call"].map(
  (name) => `<|${name}|>`,
);
const anyToken = /<\|(start|channel|message|constrain|end|return|call)\|>/;

/** What precedes a message, even if it is cut off. */
const headerPattern = /^(?:<\|start\|>\w*)?(?:<\|channel\|>\w*)?\s*$/;
/** A longer header means that the answer only mentions such tokens. */
const longestHeader = 300;

/** How an answer in channels begins. */
export const harmonyStarts = ["<|start|>", "<|channel|>"];

/**
 * The channels of gpt-oss (OpenAI's harmony format), from servers that pass them on as text:
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
 * The final channel and commentary for the user are text; everything else is reasoning, including
 * calls, which keep their recipient.
 */
export class HarmonyChannels {
  private held = "";
  /** The header read so far; null within a message. */
  private header: string | null = "";
  /** Where the header names the channel; -1: nowhere. */
  private channelAt = -1;
  private isShown = true;
  /** The answer up to its first message; null after that. */
  private beginning: string | null = "";
  /** Whether it has no channels and only begins as if it had. */
  private isPlain = false;

  constructor(private readonly sink: ReasoningSink) {}

  push(added: string): void {
    if (this.isPlain) return this.sink.text(added);
    if (this.beginning !== null) this.beginning += added;
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
    if (this.beginning !== null && this.beginning.length > longestHeader) this.showBeginning();
  }

  end(): void {
    if (this.isPlain) return;
    if (this.beginning !== null && !headerPattern.test(this.beginning)) return this.showBeginning();
    this.add(this.held);
    this.held = "";
  }

  private showBeginning(): void {
    this.sink.text(this.beginning!);
    this.beginning = null;
    this.held = "";
    this.isPlain = true;
  }

  private readToken(token: string): void {
    if (token === "message") {
      this.beginning = null;
      const header = this.header ?? "";
      const channel =
        this.channelAt === -1 ? "final" : /^\w*/.exec(header.slice(this.channelAt))![0];
      const recipient = /to=(\S+)/.exec(header)?.[1];
      this.isShown = channel === "final" || (channel === "commentary" && recipient === undefined);
      // Whoever looks for calls needs to see to which tool the message goes.
      if (recipient !== undefined)
        this.sink.reasoning(`<|channel|>commentary to=${recipient}<|message|>`);
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
