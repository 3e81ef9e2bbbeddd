import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "@carrel/testing";
import { Api } from "../api.ts";
import { boiler } from "../harbour-house.ts";

export const ready = (url: string): Promise<unknown> =>
  waitFor(
    () =>
      fetch(`${url}/readyz`).then(
        (reply) => reply.status === 200,
        () => false,
      ),
    { timeoutMs: 300_000, what: url },
  );

const text = "The pump in the cellar is serviced every March by the harbour guild.\n";

export async function addPump(api: Api, slug: string): Promise<void> {
  const { status, text: reply } = await api.upload("upload-and-embed", slug, "pump.txt", text);
  if (status !== 200) throw new Error(`uploading: ${status} ${reply}`);
  // A PDF needs data files and native code that plain text doesn't.
  const pdf = await api.upload("upload-and-embed", slug, "boiler.pdf", boiler, "application/pdf");
  if (pdf.status !== 200) throw new Error(`uploading a PDF: ${pdf.status} ${pdf.text}`);
}

/** Throws unless the answer quotes the document and cites it. */
export async function askAboutPump(api: Api, slug: string): Promise<void> {
  const { status, raw, frames, text: answer } = await api.ask(slug, "When is the pump serviced?");
  const cites = frames.some(
    (frame) =>
      "sources" in frame &&
      frame.sources.some((source) => (source as { title?: string }).title === "pump.txt"),
  );
  if (status !== 200 || !answer.includes("March") || !cites)
    throw new Error(`asking: ${status} ${raw.slice(0, 1_000)}`);
}

/**
 * Clients that ask, read and, if wanted, upload, one request after the other. Each uses the next
 * gateway if one can't be reached, as a load balancer does.
 */
export class Load {
  readonly failures: string[] = [];
  /** Successful requests of each client. */
  private readonly successes: number[] = [];
  private retried = 0;
  private stopping = false;
  private readonly uploaded: string[] = [];
  private readonly clients: Promise<void>[];
  constructor(
    private readonly urls: string[],
    private readonly slug: string,
    uploads: boolean,
  ) {
    const requests: ((api: Api) => Promise<unknown>)[] = [
      (api) => api.json("GET", "/workspaces"),
      (api) => askAboutPump(api, slug),
      (api) => api.json("GET", `/workspace/${slug}/chats`),
      ...(uploads ? [(api: Api) => this.upload(api)] : []),
    ];
    this.clients = requests.map((request, n) => this.repeat(request, n));
  }

  /** Waits until that many requests have succeeded. */
  async until(count: number): Promise<void> {
    await waitFor(() => Promise.resolve(this.done >= count), {
      timeoutMs: 60_000,
      what: "requests",
    });
  }

  /** Waits until each client has had that many more successes. */
  async more(count: number): Promise<void> {
    const goals = this.successes.map((successes) => successes + count);
    await waitFor(() => goals.every((goal, n) => this.successes[n]! >= goal), {
      timeoutMs: 120_000,
      what: "requests of each kind",
    });
  }

  private get done(): number {
    return this.successes.reduce((sum, successes) => sum + successes, 0);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.clients);
  }

  summary(): string {
    return `${this.done} requests, ${this.retried} sent again, ${this.failures.length} failed`;
  }

  /** Waits until every accepted upload is there. */
  async checkUploads(api: Api): Promise<void> {
    await waitFor(
      async () => {
        const present = JSON.stringify(await api.json("GET", "/system/local-files"));
        return this.uploaded.every((name) => present.includes(name));
      },
      { timeoutMs: 120_000, what: `${this.uploaded.length} uploads` },
    );
  }

  private async upload(api: Api): Promise<void> {
    const name = `note-${this.done}-${this.uploaded.length}.txt`;
    const reply = await api.upload(
      "upload-and-embed",
      this.slug,
      name,
      `Note ${name}.\n`.repeat(200),
    );
    if (reply.status !== 200) throw new Error(`uploading: ${reply.status} ${reply.text}`);
    this.uploaded.push(name);
  }

  private async repeat(request: (api: Api) => Promise<unknown>, client: number): Promise<void> {
    this.successes[client] = 0;
    for (let n = 0; !this.stopping; n += 1) {
      const url = this.urls[n % this.urls.length]!;
      try {
        await request(new Api(url));
        this.successes[client]! += 1;
      } catch (error) {
        const { message } = error as Error;
        // `fetch` throws a TypeError when the connection fails. A gateway that is stopping answers 503.
        const unavailable = this.urls.length > 1 && message.includes(": 503 ");
        if (error instanceof TypeError || unavailable) this.retried += 1;
        else this.failures.push(message.slice(0, 300));
        await pause(100); // as a client backs off
      }
    }
  }
}
