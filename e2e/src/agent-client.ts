import { waitFor } from "@carrel/testing";
import { parseFrames, type Api } from "./api.ts";

export type AgentFrame = Record<string, unknown> & {
  type?: string;
  content?: unknown;
  requestId?: string;
};

/** An existing client's connection to an agent (wire-contract 5.2). */
export class AgentClient {
  readonly frames: AgentFrame[] = [];
  /** The code with which the server ended it; null while it is open. */
  closed: number | null = null;
  private taken = 0;
  private readonly socket: WebSocket;

  constructor(url: string, uuid: string, headers: Record<string, string> = {}) {
    // Node's client accepts headers, although the type of browsers' doesn't know.
    const Client = WebSocket as unknown as new (
      address: string,
      options: { headers: Record<string, string> },
    ) => WebSocket;
    this.socket = new Client(`${url.replace(/^http/, "ws")}/api/agent-invocation/${uuid}`, {
      headers,
    });
    this.socket.addEventListener("message", ({ data }) =>
      this.frames.push(JSON.parse(String(data)) as AgentFrame),
    );
    this.socket.addEventListener("close", ({ code }) => {
      this.closed = code;
    });
  }

  send(frame: unknown): void {
    const text = typeof frame === "string" ? frame : JSON.stringify(frame);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.socket.addEventListener("open", () => this.socket.send(text), { once: true });
  }

  say(feedback: string): void {
    this.send({ type: "awaitingFeedback", feedback });
  }

  close(): void {
    this.socket.close();
  }

  /** The frames since the last call, up to the first of this type. */
  async until(type: string): Promise<AgentFrame[]> {
    const from = this.taken;
    const { at } = await waitFor(
      () => {
        const found = this.frames.findIndex((frame, index) => index >= from && frame.type === type);
        if (found === -1 && this.closed !== null)
          throw new Error(`closed with ${this.closed} after ${JSON.stringify(this.frames)}`);
        return found === -1 ? null : { at: found };
      },
      { what: `a frame ${type}`, timeoutMs: 10_000 },
    ).catch((error: unknown) => {
      throw new Error(`no ${type} in ${JSON.stringify(this.frames.slice(from))}`, { cause: error });
    });
    this.taken = at + 1;
    return this.frames.slice(from, at + 1);
  }

  async ended(): Promise<number> {
    return waitFor(() => this.closed, { what: "the end of the connection" });
  }
}

/** Asks like an existing client, and returns where the agent is to be reached; null: nowhere. */
export async function callAgent(
  api: Api,
  slug: string,
  message: string,
  thread?: string,
): Promise<{ uuid: string | null; frames: ReturnType<typeof parseFrames> }> {
  const { frames } = await api.ask(slug, message, thread);
  const first = frames[0] as unknown as { type: string; websocketUUID?: string };
  return { uuid: first.websocketUUID ?? null, frames };
}

/** Frames that clients of May 2025 know (wire-contract 5.3); they ignore all others. */
const knownIn2025 = new Set([
  "statusResponse",
  "WAITING_ON_INPUT",
  "wssFailure",
  "rechartVisualize",
  "fileDownload",
]);

/** What a client of May 2025 shows: plain messages, thoughts, charts and files. */
export function seenIn2025(frames: readonly AgentFrame[]): {
  messages: unknown[];
  thoughts: unknown[];
  charts: unknown[];
  files: { filename: string; b64Content: string }[];
} {
  const of = (type: string): unknown[] =>
    frames
      .filter((frame) => knownIn2025.has(type) && frame.type === type)
      .map(({ content }) => content);
  return {
    messages: frames.filter(({ type }) => type === undefined).map(({ content }) => content),
    thoughts: of("statusResponse"),
    charts: of("rechartVisualize"),
    files: of("fileDownload") as { filename: string; b64Content: string }[],
  };
}

/** The answer as a client of today puts it together. */
export const streamedText = (frames: readonly AgentFrame[]): string =>
  frames
    .map(({ type, content }) => {
      const inner = content as { type?: string; content?: string } | undefined;
      return type === "reportStreamEvent" && inner?.type === "textResponseChunk"
        ? inner.content
        : "";
    })
    .join("");
