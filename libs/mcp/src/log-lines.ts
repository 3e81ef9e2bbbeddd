import { clipText } from "@carrel/contracts";
const mostLines = 200;
const longestLine = 2_000;

export interface LogLine {
  /** ISO 8601. */
  at: string;
  text: string;
}

/** The last 200 lines of what a server wrote, each cut after 2,000 characters. */
export class LogLines {
  private lines: LogLine[] = [];
  private rest = "";

  add(text: string): void {
    this.lines.push({ at: new Date().toISOString(), text: readable(clipText(text, longestLine)) });
    // Dropped in batches, because a server may write very fast.
    if (this.lines.length > mostLines * 2) this.lines = this.lines.slice(-mostLines);
  }

  /** Adds output as it arrives, which may end within a line. */
  write(output: string): void {
    const lines = (this.rest + output).split(/\r?\n/);
    this.rest = lines.pop()!.slice(0, longestLine);
    for (const line of lines.slice(-mostLines)) if (line.trim() !== "") this.add(line);
  }

  list(): LogLine[] {
    const lines = this.lines.slice(-mostLines);
    if (this.rest.trim() === "") return lines;
    return [...lines, { at: new Date().toISOString(), text: readable(this.rest) }].slice(
      -mostLines,
    );
  }
}

/** Without colours and other control characters. */
const readable = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
    .replace(/\u001B\[[0-9;?]*[A-Za-z]/g, "")
    // oxlint-disable-next-line no-control-regex -- so that they can't change how the log looks
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, "");
