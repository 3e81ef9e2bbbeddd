import { StringDecoder } from "node:string_decoder";

/** Splits the bytes of a streamed reply into the texts of its events. */
export interface StreamSplitter {
  push(bytes: Uint8Array): string[];
  /** Returns what is left when the reply ends. */
  end(): string[];
  /** The beginning of a reply that isn't a stream of events, such as an error page. */
  readonly stray?: string;
}

/** Maximum length of one event, in UTF-16 units. */
const longestEvent = 64 * 1024 * 1024;
const longestStray = 2_000;
/** What some servers send as data to keep the connection open. */
/** Unlike a line of a log, such as `[info] queued`. */
const jsonStart = /^\{\s*(?:["}]|$)|^\[\s*(?:[{"\]]|$)/;
const keepAlive = /^(?::|(?:ping|pong|keep-?alive|heartbeat)$)/i;

/** Lines that end with LF, CRLF or CR, without a byte order mark. */
class LineSplitter {
  private readonly decoder = new StringDecoder("utf8");
  /** Pieces of the current, unfinished line. */
  private pieces: string[] = [];
  private length = 0;
  private hasBegun = false;
  private endsWithReturn = false;

  push(bytes: Uint8Array): string[] {
    return this.split(this.decoder.write(bytes as Buffer));
  }

  end(): string[] {
    const lines = this.split(this.decoder.end());
    return this.pieces.length === 0 ? lines : [...lines, this.pieces.join("")];
  }

  private split(received: string): string[] {
    if (received === "") return [];
    let text = received;
    if (!this.hasBegun && text.startsWith("\uFEFF")) text = text.slice(1);
    this.hasBegun = true;
    if (this.endsWithReturn && text.startsWith("\n")) text = text.slice(1);
    this.endsWithReturn = text.endsWith("\r");
    const lines = text.includes("\r") ? text.split(/\r\n?|\n/) : text.split("\n");
    const rest = lines.pop()!;
    if (lines.length > 0 && this.pieces.length > 0) {
      lines[0] = this.pieces.join("") + lines[0]!;
      this.pieces = [];
      this.length = 0;
    }
    if (rest !== "") this.pieces.push(rest);
    this.length += rest.length;
    if (this.length > longestEvent) throw new Error("an event is too long");
    return lines;
  }
}

const unnamedError = '{"object":"error"}';

/**
 * The events of a streamed reply in any form that servers use: server-sent events, one JSON object
 * per line, or a single JSON value instead. Names of events are dropped, since every vendor repeats
 * them in the data, except `error`: its data becomes `{"error": …}`. An event counts even without
 * the blank line after it.
 */
export class TextEvents implements StreamSplitter {
  private readonly lines = new LineSplitter();
  private data: string | null = null;
  private isError = false;
  /** Lines of a JSON value that spans several. */
  private json: string[] = [];
  private length = 0;
  private hasEvents = false;
  private strayText = "";
  /** Whether it is a web page, whose scripts may look like JSON. */
  private isPage = false;

  get stray(): string {
    return this.hasEvents ? "" : this.strayText;
  }

  push(bytes: Uint8Array): string[] {
    return this.read(this.lines.push(bytes));
  }

  end(): string[] {
    const events = this.read([...this.lines.end(), ""]);
    if (this.json.length > 0) events.push(this.takeJson());
    return events;
  }

  private read(lines: readonly string[]): string[] {
    const events: string[] = [];
    for (const line of lines) this.readLine(line, events);
    if (events.length > 0) this.hasEvents = true;
    return events;
  }

  private readLine(line: string, events: string[]): void {
    if (this.isPage) this.keepStray(line);
    else if (this.json.length > 0) this.continueJson(line, events);
    else if (line === "") this.finishEvent(events);
    else if (line.startsWith("data:")) this.addData(line.slice(5).trim(), events);
    else if (line.startsWith("event:")) this.isError = /^event:\s*error\s*$/i.test(line);
    else if (!/^(?::|id:|retry:)/.test(line)) this.readOther(line.trim(), events);
  }

  private addData(value: string, events: string[]): void {
    if (!value.startsWith("{") && (value === "" || keepAlive.test(value))) return;
    // Some servers omit the blank lines between events.
    if (this.data !== null && /^[{[]/.test(value) && isJson(this.data)) {
      const { isError } = this;
      this.finishEvent(events);
      this.isError = isError;
    }
    this.data = this.data === null ? value : `${this.data}\n${value}`;
    if (this.data.length > longestEvent) throw new Error("an event is too long");
  }

  private finishEvent(events: string[]): void {
    const { data, isError } = this;
    this.data = null;
    this.isError = false;
    if (isError) events.push(`{"error":${data === null ? unnamedError : toJson(data)}}`);
    else if (data !== null) events.push(data);
  }

  private readOther(text: string, events: string[]): void {
    if (text === "") return;
    if (/^\[DONE\]$/i.test(text) || (text.endsWith("}") && /^\{\s*["}]/.test(text)))
      events.push(text);
    else if (jsonStart.test(text)) this.continueJson(text, events);
    else {
      this.isPage = !this.hasEvents && this.strayText === "" && text.startsWith("<");
      this.keepStray(text);
    }
  }

  private keepStray(line: string): void {
    if (this.strayText.length < longestStray) this.strayText += `${line}\n`;
  }

  private continueJson(line: string, events: string[]): void {
    this.json.push(line);
    this.length += line.length;
    if (this.length > longestEvent) throw new Error("an event is too long");
    if (!/^[}\]]\s*$/.test(line)) return;
    const text = this.json.join("\n");
    if (isJson(text)) events.push(this.takeJson());
  }

  private takeJson(): string {
    const text = this.json.join("\n");
    this.json = [];
    this.length = 0;
    return text;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const toJson = (data: string): string => (isJson(data) ? data : JSON.stringify(data));
