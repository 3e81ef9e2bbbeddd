import { CarrelError } from "@carrel/contracts";
import type { ImapFlow, ListResponse, MailboxObject } from "imapflow";
import type { SourceContext } from "../../connector/connector.ts";
import { toImapFault } from "./imap-fault.ts";
import { imapPorts, portOf, type ImapCredential, type ImapSettings } from "./imap-form.ts";

/** Closed after so long without work, because sources aren't closed. */
const idleMs = 2_000;
/** For one piece of work, connecting included, whatever the server sends meanwhile. */
const longestMs = 120_000;
const silentMs = 30_000;
const connectMs = 15_000;

/** A mailbox's server: connected when there is work, which is done one after another. */
export class ImapConnection {
  private client: Promise<ImapFlow> | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private idle: NodeJS.Timeout | undefined;
  /** Why the connection was given up, of which commands only tell that it is closed. */
  private failure: Error | null = null;

  constructor(
    private readonly settings: ImapSettings,
    private readonly credential: ImapCredential,
    private readonly context: SourceContext,
  ) {}

  get host(): string {
    return this.settings.host;
  }

  listFolders(): Promise<ListResponse[]> {
    return this.run((client) => client.list());
  }

  /** Throws `source.missing` if there is no such folder. */
  inFolder<T>(
    path: string,
    work: (client: ImapFlow, folder: MailboxObject) => Promise<T>,
  ): Promise<T> {
    return this.run(async (client) => {
      const lock = await client.getMailboxLock(path, { readOnly: true });
      try {
        if (client.mailbox === false) throw new CarrelError("source.missing", { host: this.host });
        return await work(client, client.mailbox);
      } finally {
        lock.release();
      }
    });
  }

  private run<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    this.waiting += 1;
    clearTimeout(this.idle);
    const result = this.last.then(() => this.runNow(work));
    this.last = result
      .catch(() => undefined)
      .then(() => {
        this.waiting -= 1;
        if (this.waiting === 0) this.idle = setTimeout(() => this.close(), idleMs).unref();
      });
    return result;
  }

  private async runNow<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const { signal } = this.context;
    signal.throwIfAborted();
    const close = (): void => this.close();
    const clock = AbortSignal.timeout(longestMs);
    const ended = AbortSignal.any([signal, clock]);
    ended.addEventListener("abort", close, { once: true });
    try {
      return await work(await this.connect(ended));
    } catch (error) {
      signal.throwIfAborted();
      if (clock.aborted) throw new CarrelError("egress.timed-out", { host: this.host });
      throw toImapFault(this.failure ?? error, this.host);
    } finally {
      ended.removeEventListener("abort", close);
    }
  }

  private close(): void {
    const { client } = this;
    this.client = null;
    client?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  /** The one that is open, or another if the server has closed it. */
  private async connect(signal: AbortSignal): Promise<ImapFlow> {
    const open = await this.client?.catch(() => null);
    if (open?.usable) return open;
    this.client = this.open(signal);
    return this.client;
  }

  private async open(signal: AbortSignal): Promise<ImapFlow> {
    const { host, security, maxMegabytes, anyCertificate } = this.settings;
    const port = portOf(this.settings);
    const lookup = await this.context.content.lookUp({ host, port, ownPorts: imapPorts, signal });
    // Loaded with the first mailbox: few instances have one.
    const { ImapFlow: Client } = await import("imapflow");
    signal.throwIfAborted();
    const client = new Client({
      host,
      port,
      secure: security === "tls",
      doSTARTTLS: security === "starttls",
      tls: { lookup, ...(anyCertificate && { rejectUnauthorized: false }) },
      auth: { user: this.credential.user, pass: this.credential.password },
      clientInfo: { name: "Carrel" },
      // It would write what is sent and received.
      logger: false,
      disableAutoIdle: true,
      // A small answer could become a large one.
      disableCompression: true,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silentMs,
      maxLineLength: 10_000_000,
      maxLiteralSize: (maxMegabytes + 1) * 1_000_000,
      maxResponseSize: (maxMegabytes + 11) * 1_000_000,
      maxResponseTokens: 200_000,
    });
    this.failure = null;
    client.on("error", (error) => {
      this.failure = error;
    });
    const close = (): void => client.close();
    signal.addEventListener("abort", close, { once: true });
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", close);
    }
  }
}
