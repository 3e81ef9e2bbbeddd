import { Agent, request, type IncomingMessage } from "node:http";

/**
 * How a client's answer ended: complete, aborted with a message, or (old clients only, which cannot
 * reconnect) cut off with the connection.
 */
export type End = "full" | "aborted" | "cut" | "refused";

interface Frame {
  id: number | null;
  data: string;
}
interface Told {
  type?: string;
  textResponse?: string | null;
  close?: boolean;
  error?: unknown;
  generationId?: string;
  chatId?: number;
}

const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** Reads one event stream to its end; throws if the connection breaks before that. */
async function readEvents(
  incoming: IncomingMessage,
  onFrame: (frame: Frame) => void,
): Promise<void> {
  incoming.setEncoding("utf8");
  let rest = "";
  for await (const piece of incoming as AsyncIterable<string>) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const found = /^(?:id: (\d+)\n)?data: (.*)$/s.exec(block);
      if (found) onFrame({ id: found[1] === undefined ? null : Number(found[1]), data: found[2]! });
    }
  }
}

function open(
  url: string,
  options: { method: string; headers: Record<string, string>; body?: string },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: options.method, agent, headers: options.headers },
      resolve,
    );
    outgoing.on("error", reject);
    outgoing.end(options.body);
  });
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));

export interface Asking {
  slug: string;
  thread: string;
  question: string;
  /** Our own clients reconnect; the others use the wire of existing clients. */
  isOwn: boolean;
  /** The available gateways, in this client's order. */
  gateways: () => string[];
  /** The client gives up after this time: nothing may take longer. */
  limitMs: number;
}

/** A client that asks one question and records what it received and what was wrong with it. */
export class ChaosClient {
  end: End | null = null;
  /** performance.now() when the answer ended. */
  endedAt = 0;
  text = "";
  generationId: string | null = null;
  attachments = 0;
  readonly faults: string[] = [];
  private readonly frames = new Map<number, string>();
  private last = 0;
  private giveUpAt = 0;

  constructor(readonly asking: Asking) {}

  async run(): Promise<void> {
    this.giveUpAt = performance.now() + this.asking.limitMs;
    try {
      await this.ask();
      while (
        this.end === null &&
        this.asking.isOwn &&
        this.generationId !== null &&
        performance.now() < this.giveUpAt
      )
        await this.attach();
    } finally {
      this.end ??= "cut";
      this.endedAt = performance.now();
    }
    if (this.asking.isOwn && this.generationId !== null && this.end === "cut")
      this.faults.push("never heard of an end");
  }

  private async ask(): Promise<void> {
    const { slug, thread, question, isOwn } = this.asking;
    try {
      const incoming = await open(
        `${this.asking.gateways()[0]}/api/workspace/${slug}/thread/${thread}/stream-chat`,
        {
          method: "POST",
          body: JSON.stringify({ message: question }),
          headers: {
            "content-type": "application/json",
            ...(isOwn ? { "x-carrel-stream": "1" } : {}),
          },
        },
      );
      if (incoming.statusCode !== 200) {
        incoming.resume();
        this.end = "refused";
        return;
      }
      await readEvents(incoming, (frame) => this.take(frame));
    } catch {
      // The connection broke: the text so far counts, and our own clients reconnect.
    }
  }

  private async attach(): Promise<void> {
    this.attachments += 1;
    for (const url of this.asking.gateways()) {
      try {
        const incoming = await open(`${url}/api/generation/${this.generationId}/stream`, {
          method: "GET",
          headers: { "x-carrel-stream": "1", "last-event-id": String(this.last) },
        });
        if (incoming.statusCode !== 200) {
          incoming.resume();
          continue;
        }
        let isFirstText = true;
        await readEvents(incoming, (frame) => {
          // A frame without an id starts a replay of the answer.
          if (isFirstText && frame.id === null && frame.data.includes('"type":"textResponseChunk"'))
            this.retell();
          if (frame.data.includes('"type":"textResponseChunk"')) isFirstText = false;
          this.take(frame);
        });
        return;
      } catch {
        // This gateway is down: try the next one.
      }
    }
    await pause(200);
  }

  private seen = "";
  private retell(): void {
    if (this.text.length > this.seen.length) this.seen = this.text;
    this.text = "";
  }

  private take({ id, data }: Frame): void {
    if (id !== null) {
      const before = this.frames.get(id);
      if (before !== undefined) {
        this.faults.push(
          before === data ? `frame ${id} came twice` : `frame ${id} came again with other words`,
        );
        return;
      }
      if (id !== this.last + 1) this.faults.push(`frame ${id} follows ${this.last}`);
      this.frames.set(id, data);
      this.last = id;
    }
    const told = JSON.parse(data) as Told;
    if (told.type === "generationStarted") this.generationId = told.generationId ?? null;
    if (told.type === "textResponseChunk" && told.close !== true)
      this.text += told.textResponse ?? "";
    if (this.end !== null && told.type !== "finalizeResponseStream" && told.type !== undefined)
      this.faults.push(`${told.type} after the end`);
    if (told.type === "abort") this.end = "aborted";
    if (told.type === "finalizeResponseStream" && this.end === null) this.end = "full";
  }

  /** All text ever shown, or the longest version if it was replayed. */
  get shown(): string {
    return this.text.length >= this.seen.length ? this.text : this.seen;
  }
}
