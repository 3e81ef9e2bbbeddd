import type { CarrelFrame, RunStep, StreamFrame } from "@carrel/contracts";

type Frame = CarrelFrame | StreamFrame;

/** Carrel's own client of one answer: it can let go of its stream, and take it up where it was. */
export class RunReader {
  generationId: string | null = null;
  /** As it is shown now. */
  text = "";
  readonly steps = new Map<number, RunStep>();
  /** Why the answer was broken off. */
  error: string | null = null;
  hasEnded = false;
  /** What is wrong with the frames. */
  readonly faults: string[] = [];
  private last = 0;
  private connection = new AbortController();

  constructor(private readonly url: string) {}

  ask(slug: string, thread: string, message: string): void {
    this.follow(`/workspace/${slug}/thread/${thread}/stream-chat`, {
      method: "POST",
      body: JSON.stringify({ message }),
    });
  }

  detach(): void {
    this.connection.abort();
  }

  attach(): void {
    this.connection = new AbortController();
    this.follow(`/generation/${this.generationId}/stream`, {
      headers: { "last-event-id": String(this.last) },
    });
  }

  private follow(path: string, request: RequestInit): void {
    const { signal } = this.connection;
    this.read(path, { ...request, signal }).catch((error: unknown) => {
      if (!signal.aborted) this.faults.push(`lost its stream: ${String(error)}`);
    });
  }

  private async read(path: string, { headers, ...request }: RequestInit): Promise<void> {
    const reply = await fetch(`${this.url}/api${path}`, {
      ...request,
      headers: { "x-carrel-stream": "1", ...headers },
    });
    if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of reply.body!) {
      const blocks = (rest + decoder.decode(piece as Uint8Array, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)$/s.exec(block) ?? [];
        if (data === undefined) continue;
        if (Number(id) !== this.last + 1) this.faults.push(`frame ${id} follows ${this.last}`);
        this.last = Number(id);
        this.take(JSON.parse(data) as Frame);
      }
    }
  }

  private take(frame: Frame): void {
    if (!("type" in frame)) return;
    switch (frame.type) {
      case "generationStarted":
        this.generationId = frame.generationId;
        break;
      case "generationStep":
        this.steps.set(frame.step.id, frame.step);
        break;
      case "generationRewind":
        this.text = this.text.slice(0, frame.to);
        break;
      case "textResponseChunk":
        if (!frame.close) this.text += frame.textResponse;
        break;
      case "abort":
        this.error = String(frame.error);
        break;
      case "finalizeResponseStream":
        this.hasEnded = true;
        break;
      default:
    }
  }
}
