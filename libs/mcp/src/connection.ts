import { ToolError, type ToolCall } from "@carrel/skills";
import type {
  CallToolResult,
  Client,
  ClientOptions,
  RequestOptions,
  Transport,
} from "@modelcontextprotocol/client";
import { callInRounds } from "./call-rounds.ts";
import { CallTimer, within } from "./call-timer.ts";
import { answerElicitation } from "./elicitation.ts";
import { tolerateBadEntries } from "./list-repair.ts";
import type { ListedTool } from "./listed-tool.ts";
import { LogLines } from "./log-lines.ts";
import { loadSdk } from "./sdk.ts";
import {
  McpError,
  closed,
  isConnectionLost,
  isMissing,
  isSessionLost,
  messageOf,
  missingScopeOf,
  toMcpError,
  type ServerLabel,
} from "./server-fault.ts";
import { listServer, type ServerExtras } from "./server-listing.ts";

export type ConnectionState = "idle" | "connecting" | "connected" | "waiting" | "failed";

export interface ConnectionOptions {
  label: ServerLabel;
  /** What identifies this client to servers. */
  client: { name: string; version: string };
  /**
   * Transports to try in turn: the next one if a server doesn't speak the one before. A program has
   * one.
   */
  transports: readonly ((log: LogLines) => Promise<Transport>)[];
  /** Default 30 s (wire-contract 5.10). */
  connectTimeoutMs?: number;
  /** Without a sign of life from the server: progress counts, a question to the person too. */
  callTimeoutMs?: number;
  /** Of one call, however lively it is. */
  longestCallMs?: number;
  /** First pause before a lost connection is tried again; it doubles each time. */
  backOffMs?: number;
  /** Whether it is also tried again if it never was connected. */
  staysConnected?: boolean;
  /** After each listing of its tools. */
  onTools?: (tools: ListedTool[]) => Promise<void>;
}

const longestBackOffMs = 5 * 60_000;
/** A connection that lasted longer was a good one. */
const stableMs = 30_000;
/** Servers of older protocols that ignore an unknown first request are slow to recognise. */
const probeMs = 5_000;

/**
 * A connection to one server. It is made with its first use, tried again with growing pauses if it
 * is lost, and shared by all calls.
 */
export class McpConnection {
  readonly log = new LogLines();
  state: ConnectionState = "idle";
  error: McpError | null = null;
  version: string | null = null;
  connectedAt: Date | null = null;
  /** What the next sign-in has to ask for, if the last one was refused a call. */
  missingScope: string | null = null;
  /** As listed last; kept while the server is away. */
  tools: ListedTool[] = [];
  extras: ServerExtras = { resources: 0, prompts: [] };
  private client: Client | null = null;
  private transport: Transport | null = null;
  private connecting: Promise<Client> | null = null;
  private failures = 0;
  private retryAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Calls that are running, for questions of older servers, which don't name theirs. */
  private readonly calls = new Set<ToolCall["ask"]>();
  /** Has a call that nobody waits for any more, but which may still ask. */
  private abandoned: Client | null = null;

  constructor(private readonly options: ConnectionOptions) {}

  get name(): string {
    return this.options.label.name;
  }

  get pid(): number | null {
    const { pid } = (this.transport ?? {}) as { pid?: number | null };
    return pid ?? null;
  }

  /**
   * Connects if necessary. Throws McpError; at once while it waits after a failure, unless `isUrgent`.
   */
  async connect(isUrgent = false): Promise<void> {
    await this.ready(isUrgent);
  }

  /** Throws ToolError, or the signal's reason. */
  async call(tool: ListedTool, input: unknown, call: ToolCall): Promise<CallToolResult> {
    let client = await this.forTool(call.signal);
    const idleMs = this.options.callTimeoutMs ?? 60_000;
    const timeout = new CallTimer(idleMs, this.options.longestCallMs ?? 30 * 60_000);
    const ask: ToolCall["ask"] = (questions) => timeout.pauseFor(call.ask(questions));
    this.calls.add(ask);
    try {
      const options: RequestOptions = {
        signal: AbortSignal.any([call.signal, timeout.signal]),
        onprogress: ({ progress, total }) => {
          timeout.restart();
          if (Number.isFinite(progress) && total !== undefined && total > 0)
            call.progress(Math.min(Math.max(progress, 0), total), total);
        },
        timeout: timeout.longestMs + 60_000,
      };
      try {
        return await callInRounds(client, { server: this.name, tool, input, ask, options });
      } catch (error) {
        // A server that was started again doesn't know the session, and so has done nothing.
        if (!isSessionLost(error)) throw error;
        this.lose(client, error);
        client = await this.ready(true);
        return await callInRounds(client, { server: this.name, tool, input, ask, options });
      }
    } catch (error) {
      if (call.signal.aborted || timeout.signal.aborted) this.abandoned = client;
      call.signal.throwIfAborted();
      if (timeout.signal.aborted) {
        const seconds = Math.round(timeout.spentMs() / 1_000);
        const params = { server: this.name, tool: tool.name, seconds };
        throw new ToolError(
          `The tool didn't finish within ${seconds} seconds. It may still be running.`,
          { code: "mcp.call-timed-out", params },
        );
      }
      const failure = this.toToolError(error);
      if (isConnectionLost(failure)) this.lose(client, error);
      throw failure;
    } finally {
      this.calls.delete(ask);
      timeout.stop();
    }
  }

  async listResources(
    signal: AbortSignal,
  ): Promise<{ uri: string; name: string; mime: string | null }[]> {
    const client = await this.forTool(signal);
    if (client.getServerCapabilities()?.resources === undefined) return [];
    const { resources } = await this.attempt(() =>
      client.listResources(undefined, this.brief(signal)),
    );
    return resources.map(({ uri, name, mimeType }) => ({ uri, name, mime: mimeType ?? null }));
  }

  async readResource(uri: string, signal: AbortSignal) {
    const client = await this.forTool(signal);
    const { contents } = await this.attempt(() => client.readResource({ uri }, this.brief(signal)));
    return contents;
  }

  async getPrompt(name: string, input: Record<string, string>, signal: AbortSignal) {
    const client = await this.forTool(signal);
    return this.attempt(() => client.getPrompt({ name, arguments: input }, this.brief(signal)));
  }

  /** Ends the program, or the session, also if it is only being started. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    const { client, transport } = this;
    this.client = null;
    this.transport = null;
    this.state = "idle";
    // The session is ended by a request, which a server that is gone would leave waiting.
    const end = (transport as { terminateSession?: () => Promise<void> } | null)?.terminateSession;
    if (end !== undefined)
      await Promise.race([
        end.call(transport).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
      ]);
    await client?.close().catch(() => undefined);
    await transport?.close().catch(() => undefined);
    await this.connecting?.catch(() => undefined);
  }

  private brief(signal: AbortSignal): RequestOptions {
    return { signal, timeout: this.options.callTimeoutMs ?? 60_000 };
  }

  private async forTool(signal: AbortSignal): Promise<Client> {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    aborted.catch(() => undefined);
    return this.attempt(() => Promise.race([this.ready(false), aborted]));
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.toToolError(error);
    }
  }

  private toToolError(error: unknown): Error {
    if (error instanceof ToolError) return error;
    if ((error as { name?: unknown } | null)?.name === "AbortError") return error as Error;
    // The server's own words: the model can correct its input.
    if ((error as { name?: unknown } | null)?.name === "ProtocolError")
      return new ToolError(`The server refused the call: ${messageOf(error)}`, null, {
        cause: error,
      });
    this.missingScope = missingScopeOf(error) ?? this.missingScope;
    const { fault } = toMcpError(error, this.options.label);
    return new ToolError(`The tool failed: ${messageOf(error)}`, fault, { cause: error });
  }

  private ready(isUrgent: boolean): Promise<Client> {
    if (this.client !== null && this.state === "connected") return Promise.resolve(this.client);
    if (this.isClosed)
      return Promise.reject(new McpError({ code: "mcp.exited", params: { server: this.name } }));
    if (this.connecting !== null) return this.connecting;
    if (!isUrgent && this.error !== null && Date.now() < this.retryAt)
      return Promise.reject(this.error);
    this.connecting = this.open().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  private async open(): Promise<Client> {
    clearTimeout(this.timer);
    this.state = "connecting";
    const deadline = Date.now() + (this.options.connectTimeoutMs ?? 30_000);
    const failures: unknown[] = [];
    for (const create of this.options.transports)
      for (const isOld of [false, true]) {
        if (this.isClosed) throw this.fail(closed(), false);
        const attempt = await this.tryTransport(create, isOld, deadline);
        if (attempt.client !== undefined) return attempt.client;
        failures.push(attempt.error);
        if (Date.now() >= deadline || isMissing(attempt.error)) break;
        // Only a program may have ended because of the newer protocol's first request.
        if (this.options.label.command === null) break;
      }
    throw this.fail(failures[0], Date.now() >= deadline);
  }

  private async tryTransport(
    create: (log: LogLines) => Promise<Transport>,
    isOld: boolean,
    deadline: number,
  ): Promise<{ client: Client; error?: undefined } | { client?: undefined; error: unknown }> {
    let transport: Transport | null = null;
    let client: Client | null = null;
    try {
      transport = await create(this.log);
      tolerateBadEntries(transport);
      // So that `close` ends it at any time.
      this.transport = transport;
      client = await this.makeClient();
      if (this.isClosed) throw closed();
      const left = Math.max(1, deadline - Date.now());
      await within(
        client.connect(transport, {
          timeout: left,
          ...(isOld ? { prior: { kind: "legacy" as const } } : {}),
        }),
        left,
      );
      const connected = client;
      await within(this.list(connected), Math.max(1, deadline - Date.now()));
      if (this.isClosed) throw new Error("closed");
      this.client = connected;
      this.transport = transport;
      connected.onclose = () => this.lose(connected, closed());
      this.state = "connected";
      this.error = null;
      this.version = connected.getNegotiatedProtocolVersion() ?? null;
      this.connectedAt = new Date();
      this.log.add(`Connected (protocol ${this.version}, ${this.tools.length} tools).`);
      return { client: connected };
    } catch (failure) {
      // Whatever the SDK makes of it.
      const hasEnded = (transport as { hasEnded?: boolean } | null)?.hasEnded === true;
      const error = hasEnded && !isMissing(failure) ? closed() : failure;
      this.client = null;
      this.transport = null;
      await client?.close().catch(() => undefined);
      await transport?.close().catch(() => undefined);
      return { error };
    }
  }

  private async makeClient(): Promise<Client> {
    const sdk = await loadSdk();
    const onChanged = (): void => {
      const { client: current } = this;
      if (current === null) return;
      this.list(current).catch((error: unknown) =>
        this.log.add(`Couldn't list what has changed: ${messageOf(error)}`),
      );
    };
    const options: ClientOptions = {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      // Questions of newer servers are answered for their call (`callInRounds`).
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: { autoRefresh: false, onChanged },
        prompts: { autoRefresh: false, onChanged },
      },
    };
    const client = new sdk.Client(this.options.client, options);
    client.onerror = (error) => this.log.add(`Connection: ${messageOf(error)}`);
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      // Two people may be using it at once, and it doesn't say whom it asks.
      if (this.calls.size !== 1 || this.abandoned === client) return { action: "cancel" };
      const [ask] = this.calls;
      return answerElicitation(this.name, params, ask!);
    });
    return client;
  }

  private async list(client: Client): Promise<void> {
    const { tools, extras } = await listServer(client);
    this.tools = tools;
    this.extras = extras;
    await this.options.onTools?.(tools);
  }

  private lose(client: Client, error: unknown): void {
    if (this.client !== client || this.isClosed) return;
    const lasted = Date.now() - (this.connectedAt?.getTime() ?? 0);
    if (lasted > stableMs) this.failures = 0;
    const { transport } = this;
    this.client = null;
    this.transport = null;
    void transport?.close().catch(() => undefined);
    this.fail(error, false);
  }

  private fail(error: unknown, isLate: boolean): McpError {
    const { connectTimeoutMs = 30_000, backOffMs = 1_000, label } = this.options;
    this.error =
      isLate && !(error instanceof McpError)
        ? new McpError(
            {
              code: "mcp.connect-timed-out",
              params: { server: label.name, seconds: Math.round(connectTimeoutMs / 1_000) },
            },
            { cause: error },
          )
        : toMcpError(error, label);
    this.state = "failed";
    this.retryAt = Date.now() + Math.min(longestBackOffMs, backOffMs * 2 ** this.failures);
    this.failures = Math.min(this.failures + 1, 20);
    this.log.add(`Not connected: ${messageOf(error)}`);
    this.tryLater(this.error);
    return this.error;
  }

  /** Connects again after the pause, which grows with each failure. */
  private tryLater({ fault }: McpError): void {
    clearTimeout(this.timer);
    const isLost = this.connectedAt !== null;
    // A sign-in makes a new connection.
    const isHopeless = fault.code === "mcp.sign-in-required";
    if (this.isClosed || isHopeless || !(isLost || this.options.staysConnected === true)) return;
    if (isLost) this.state = "waiting";
    this.timer = setTimeout(
      () => void this.ready(true).catch(() => undefined),
      Math.max(0, this.retryAt - Date.now()),
    ).unref();
  }
}
