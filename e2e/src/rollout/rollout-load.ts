import { waitFor, type Deployment } from "@carrel/testing";
import { Api } from "../api.ts";
import { ChaosClient } from "../chaos/chaos-client.ts";
import { readTurns } from "../chaos/chaos-round.ts";

interface RolloutLoadOptions {
  /** Of the load balancer. */
  url: string;
  database: string;
  /** Words of a question, which the model repeats one by one. */
  words: number;
  /** Clients that ask at the same time; every third is an existing one, which can't reconnect. */
  askers: number;
}

/** Jobs that failed for good, by queue, as the metrics of all processes say. */
export async function listFailedJobs(deployment: Deployment): Promise<string[]> {
  const pages = deployment.running.map(async ({ health }) =>
    (await fetch(`${health}/metrics`)).text(),
  );
  return (await Promise.all(pages))
    .flatMap((page) => page.split("\n"))
    .filter((line) => /^carrel_jobs_waiting\{.*state="failed".*\} [1-9]/.test(line))
    .map((line) => `failed jobs: ${line}`);
}

/** No answer takes longer than that, whatever happens. */
const limitMs = 240_000;

/**
 * Clients of a load balancer that ask, read and upload one after the other until they are stopped.
 * Every failure that a client can't hide from its user is a fault.
 */
export class RolloutLoad {
  readonly faults: string[] = [];
  readonly counts = { answers: 0, reconnects: 0, reads: 0, uploads: 0, searches: 0 };
  private isStopping = false;
  private readonly mark = `roll${Math.random().toString(36).slice(2, 8)}`;
  private readonly asked = new Set<string>();
  private readonly uploaded: string[] = [];
  private clients: Promise<void>[] = [];
  /** By asker. */
  private readonly latest: ChaosClient[] = [];
  private readonly api: Api;

  constructor(private readonly o: RolloutLoadOptions) {
    this.api = new Api(o.url);
  }

  async start(): Promise<void> {
    const [{ slug }, { slug: documents }] = await Promise.all([
      this.api.makeWorkspace("Rollout"),
      this.api.makeWorkspace("Rollout documents"),
    ]);
    // Keeps history from slowing down later questions.
    await this.api.json("POST", `/workspace/${slug}/update`, { openAiHistory: 1 });
    await this.api.json("POST", `/workspace/${documents}/update`, { chatMode: "chat" });
    const threads = await Promise.all(
      Array.from({ length: this.o.askers }, () =>
        this.api.json<{ thread: { slug: string } }>("POST", `/workspace/${slug}/thread/new`),
      ),
    );
    this.clients = [
      ...threads.map(({ thread }, n) =>
        this.repeat((round) => this.ask(slug, thread.slug, n, round)),
      ),
      this.repeat(async () => {
        await this.api.json("GET", "/workspaces");
        await this.api.json("GET", `/workspace/${slug}/chats`);
        this.counts.reads += 1;
      }),
      this.repeat((round) => this.upload(documents, round)),
      this.repeat(() => this.search(documents)),
    ];
  }

  /** Waits until there are that many complete answers. */
  async until(answers: number): Promise<void> {
    await waitFor(() => this.counts.answers >= answers, { timeoutMs: limitMs, what: "answers" });
  }

  /** Waits until every client's first answer is being written. */
  async untilAsked(): Promise<void> {
    await waitFor(() => this.latest.filter(({ text }) => text !== "").length === this.o.askers, {
      timeoutMs: limitMs,
      what: "first words",
    });
  }

  /** Lets running requests end, then checks that everything they left is there. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.clients);
    const turns = await readTurns(this.o.database, this.mark);
    if (turns.length !== this.asked.size)
      this.faults.push(`${this.asked.size} questions, ${turns.length} stored turns`);
    for (const { question, answer, state, error } of turns)
      if (state !== "done" || answer !== question)
        this.faults.push(`stored as ${state}: ${answer.length} of ${question.length} (${error})`);
    const stored = JSON.stringify(await this.api.json("GET", "/system/local-files"));
    for (const name of this.uploaded)
      if (!stored.includes(name)) this.faults.push(`${name} was accepted, but isn't there`);
  }

  summary(): string {
    const { answers, reconnects, reads, uploads, searches } = this.counts;
    return `${answers} answers (${reconnects} reconnects), ${searches} searches, ${reads} reads, ${uploads} uploads, ${this.faults.length} faults`;
  }

  private async repeat(request: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !this.isStopping; round += 1)
      try {
        await request(round);
      } catch (error) {
        const { message, cause } = error as Error;
        this.faults.push(`${message.slice(0, 300)} ${cause === undefined ? "" : String(cause)}`);
        await new Promise((done) => setTimeout(done, 200)); // as a client backs off
      }
  }

  private async ask(slug: string, thread: string, asker: number, round: number): Promise<void> {
    const name = `${this.mark}a${asker}r${round}`;
    const question = [name, ...Array.from({ length: this.o.words }, (_, n) => `w${n}`)].join(" ");
    const client = new ChaosClient({
      slug,
      thread,
      question,
      isOwn: asker % 3 !== 2,
      gateways: () => [this.o.url],
      limitMs,
    });
    this.asked.add(question);
    this.latest[asker] = client;
    await client.run();
    this.counts.reconnects += client.attachments;
    if (client.end !== "full" || client.text !== question)
      this.faults.push(
        `${name} (${client.asking.isOwn ? "own" : "existing"} client): ${client.end}, ${client.text.length} of ${question.length} characters`,
      );
    else this.counts.answers += 1;
    this.faults.push(...client.faults.map((fault) => `${name}: ${fault}`));
  }

  private async upload(slug: string, round: number): Promise<void> {
    const name = `${this.mark}-${round}.txt`;
    const text = `Pump ${round} is serviced in week ${round}.\n`.repeat(100);
    const { status, text: reply } = await this.api.upload("upload-and-embed", slug, name, text);
    if (status !== 200) throw new Error(`upload: ${status} ${reply}`);
    this.uploaded.push(name);
    this.counts.uploads += 1;
  }

  private async search(slug: string): Promise<void> {
    const { status, raw } = await this.api.ask(slug, "When is pump 1 serviced?");
    if (status !== 200 || !raw.includes("finalizeResponseStream") || raw.includes('"abort"'))
      throw new Error(`question about documents: ${status} ${raw.slice(-300)}`);
    this.counts.searches += 1;
  }
}
