import type { IngestConfig } from "../ingest.config.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import type { NamedText } from "../work-pool/work.ts";

/** Smaller originals never wait for large ones. */
const smallBytes = 64 * 1024;

/** Limits the bytes of originals that are being parsed and of texts that aren't stored yet. */
export class IntakeMemory {
  private readonly budget: Semaphore;
  private readonly largest: number;

  constructor(config: Pick<IngestConfig, "CARREL_PARSE_BUFFER_MB" | "CARREL_PARSE_MAX_MB">) {
    this.largest = config.CARREL_PARSE_MAX_MB * 1024 * 1024;
    this.budget = new Semaphore(config.CARREL_PARSE_BUFFER_MB * 1024 * 1024);
  }

  /**
   * Runs a task on an original of this size once there is room for it. With `note`, the task says
   * how many bytes it holds from then on.
   */
  use<T>(bytes: number, task: (note: (bytes: number) => void) => Promise<T>): Promise<T> {
    const run = async (reserved: number): Promise<T> => {
      let held = reserved;
      const note = (now: number): void => {
        this.budget.adjust(held, now);
        held = now;
      };
      try {
        return await task(note);
      } finally {
        note(reserved);
      }
    };
    // Too large ones are refused unread.
    const waits = bytes > smallBytes && bytes <= this.largest;
    return waits ? this.budget.use(bytes, () => run(bytes)) : run(0);
  }
}

/** What texts take in memory, at most two bytes per character. */
export const bytesOf = (texts: NamedText[]): number =>
  texts.reduce(
    (sum, { text }) =>
      text.pages.reduce((sum, { runs }) => sum + runs.byteLength, sum + 2 * text.textLength),
    0,
  );
