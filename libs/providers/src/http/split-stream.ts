import { StringDecoder } from "node:string_decoder";

/** Splits the bytes of a streamed reply into the texts of its events. */
export interface StreamSplitter {
  push(bytes: Uint8Array): string[];
  /** What is left when the reply ends. */
  end(): string[];
}

class LineSplitter implements StreamSplitter {
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  push(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.write(bytes as Buffer)).split("\n");
    this.rest = lines.pop()!;
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
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
    return this.lines.push(bytes).filter((line) => line.trim() !== "");
  }

  end(): string[] {
    return this.lines.end().filter((line) => line.trim() !== "");
  }
}

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
    for (const line of lines) {
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
