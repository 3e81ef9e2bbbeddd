import { StringDecoder } from "node:string_decoder";

/** Splits the bytes of a streamed reply into the texts of its events. */
export interface StreamSplitter {
  push(bytes: Uint8Array): string[];
  /** What is left when the reply ends. */
  end(): string[];
}

/** Lines may keep a carriage return at their end. */
class LineSplitter implements StreamSplitter {
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  push(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.write(bytes as Buffer)).split("\n");
    this.rest = lines.pop()!;
    return lines;
  }

  end(): string[] {
    const last = this.rest + this.decoder.end();
    this.rest = "";
    return last === "" ? [] : [last];
  }
}

/** One JSON object per line. */
export class JsonLines implements StreamSplitter {
  private readonly lines = new LineSplitter();

  push(bytes: Uint8Array): string[] {
    return withoutBlanks(this.lines.push(bytes));
  }

  end(): string[] {
    return withoutBlanks(this.lines.end());
  }
}

const withoutBlanks = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== "");

/**
 * The data of server-sent events. Their names are dropped: every vendor repeats them in the data.
 * An event without the blank line after it counts at the end.
 */
export class ServerSentEvents implements StreamSplitter {
  private readonly lines = new LineSplitter();
  private data: string | null = null;

  push(bytes: Uint8Array): string[] {
    return this.read(this.lines.push(bytes));
  }

  end(): string[] {
    return this.read([...this.lines.end(), ""]);
  }

  private read(lines: readonly string[]): string[] {
    const events: string[] = [];
    for (const each of lines) {
      const line = each.endsWith("\r") ? each.slice(0, -1) : each;
      if (line === "") {
        if (this.data !== null) events.push(this.data);
        this.data = null;
      } else if (line.startsWith("data:")) {
        const value = line.slice(line[5] === " " ? 6 : 5);
        this.data = this.data === null ? value : `${this.data}\n${value}`;
      }
    }
    return events;
  }
}

/** Server-sent events, or a single JSON object in their place, which is the only event then. */
export class EventsOrJson implements StreamSplitter {
  private readonly events = new ServerSentEvents();
  private readonly decoder = new StringDecoder("utf8");
  private isJson: boolean | null = null;
  private json = "";

  push(bytes: Uint8Array): string[] {
    this.isJson ??= startsJson(bytes);
    if (this.isJson !== true) return this.events.push(bytes);
    this.json += this.decoder.write(bytes as Buffer);
    return [];
  }

  end(): string[] {
    return this.isJson === true ? [this.json + this.decoder.end()] : this.events.end();
  }
}

/** Null if there are only blanks. */
function startsJson(bytes: Uint8Array): boolean | null {
  const first = bytes.find((byte) => byte > 0x20);
  return first === undefined ? null : first === 0x7b;
}
