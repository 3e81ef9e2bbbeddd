import { mkdir } from "node:fs/promises";
import path from "node:path";
import { childEnvironment, type InstanceConfig } from "@carrel/config";
import {
  getAuthSettings,
  mcpServersChanged,
  servicePrincipal,
  type EventPayload,
  type KnownFault,
  type McpServerWire,
  type Principal,
} from "@carrel/contracts";
import { createContentClient, type ContentClient } from "@carrel/egress";
import {
  assignCallNames,
  createAuth,
  createServerFetch,
  createTransports,
  McpConnection,
  McpError,
  resourceToolNames,
  resourceTools,
  toTool,
  type ListedPrompt,
  type ListedTool,
  type LogLine,
  type SignInServer,
} from "@carrel/mcp";
import { Broadcast, RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER, version } from "@carrel/runtime";
import type { Tool } from "@carrel/skills";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { describeServer, stateOf, stateOfResources, type NamedServer } from "./mcp-server-state.ts";
import { McpServerRepository, type McpServerRow } from "./mcp-server.repository.ts";

/** How long an answer waits for servers that aren't connected yet. */
const patienceMs = 10_000;
/** How long a list waits for them; they go on connecting. */
const listPatienceMs = 4_000;
const modeMs = 60_000;

interface Entry {
  version: number;
  connection: McpConnection;
}

/** The connections of this process to MCP servers, made with their first use. */
@Injectable()
export class McpServers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly entries = new Map<number, Entry>();
  private readonly closing = new Set<Promise<void>>();
  private isStopping = false;
  private readonly content: ContentClient;
  private readonly stops: (() => void)[];
  private mode: { isShared: boolean; at: number } | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: InstanceConfig & ChatConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly repository: McpServerRepository,
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    this.content = createContentClient({
      allow: config.CARREL_LINK_ALLOW,
      maxBytes: 1_000_000,
    });
    this.stops = [
      broadcast.on(`event:${mcpServersChanged.name}`, (payload) =>
        this.apply(payload as EventPayload<typeof mcpServersChanged>),
      ),
      broadcast.onGap(() => void this.refresh()),
    ];
  }

  onApplicationBootstrap(): void {
    // Servers may be slow to start, which nothing else waits for.
    void this.refresh();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const stop of this.stops) stop();
    for (const id of [...this.entries.keys()]) void this.drop(id);
    await Promise.all(this.closing);
  }

  /**
   * Tools that an agent may offer to its model, under names that don't change while they exist.
   *
   * @param isWanted whether a tool is offered although it is switched off
   */
  async listTools(
    principal: Principal,
    isWanted: (name: string) => boolean = () => false,
  ): Promise<Tool[]> {
    const rows = (await this.repository.list(principal)).filter(({ enabled }) => enabled);
    if (rows.length === 0) return [];
    await this.connectAll(rows, patienceMs);
    // As they are now: the first listing has approved the tools.
    const fresh = await this.repository.list(principal);
    return this.name(fresh).flatMap(({ row, connection, listed, resources }) => {
      if (!row.enabled || connection?.state !== "connected") return [];
      const destination = destinationOf(row);
      return [
        ...listed.flatMap(({ tool, callName }) =>
          stateOf(isWanted(callName) ? { ...row, suppressed: [] } : row, tool) === "offered"
            ? [toTool(connection, tool, callName, destination, true)]
            : [],
        ),
        ...resources.flatMap(({ name, tool }) =>
          stateOfResources(row, connection.tools, name) === "offered" ? [tool] : [],
        ),
      ];
    });
  }

  /** All servers that the principal can use, with their health in this process. */
  async describe(principal: Principal): Promise<McpServerWire[]> {
    const rows = await this.repository.list(principal);
    await this.connectAll(
      rows.filter(({ enabled }) => enabled),
      listPatienceMs,
    );
    const fresh = await this.repository.list(principal);
    const faults = await Promise.all(fresh.map((row) => this.findObstacle(row)));
    return this.name(fresh).map((server, at) => describeServer(server, faults[at] ?? null));
  }

  /** Prompts for people, of the servers that are connected or connect soon. */
  async listPrompts(
    principal: Principal,
  ): Promise<{ row: McpServerRow; prompts: readonly ListedPrompt[] }[]> {
    const rows = (await this.repository.list(principal)).filter(({ enabled }) => enabled);
    await this.connectAll(rows, listPatienceMs);
    return rows.flatMap((row) => {
      const connection = this.connectionOf(row);
      return connection?.state === "connected" ? [{ row, prompts: connection.extras.prompts }] : [];
    });
  }

  /** Whether commands can be run. */
  async allowsCommands(): Promise<boolean> {
    return this.config.CARREL_MCP_COMMANDS || !(await this.isShared());
  }

  /** Tools as this process has listed them. */
  listed(id: number): readonly ListedTool[] {
    return this.entries.get(id)?.connection.tools ?? [];
  }

  /** What the next sign-in has to ask for, as far as this process knows; null: what it is told. */
  missingScope(id: number): string | null {
    return this.entries.get(id)?.connection.missingScope ?? null;
  }

  readLog(id: number): LogLine[] {
    return this.entries.get(id)?.connection.log.list() ?? [];
  }

  /** Connects if necessary. Throws McpError. */
  async connect(row: McpServerRow): Promise<McpConnection> {
    const fault = await this.findObstacle(row);
    if (fault !== null) {
      // It may be running, for example since before the instance had accounts.
      await this.drop(row.id);
      throw new McpError(fault);
    }
    // What was about to connect must not start a program that nobody would end.
    if (this.isStopping) throw new McpError({ code: "mcp.exited", params: { server: row.name } });
    const connection = this.entryOf(row);
    await connection.connect();
    return connection;
  }

  /** What signing in to a server needs. */
  signInServer(row: McpServerRow, url: string): SignInServer {
    const origin = this.config.CARREL_PUBLIC_URL?.replace(/\/+$/, "");
    return {
      url,
      send: createServerFetch({
        url,
        headers: {},
        content: this.content,
        connectTimeoutMs: 10_000,
        idleTimeoutMs: 30_000,
      }),
      metadataUrl:
        origin?.startsWith("https:") === true ? `${origin}/api/mcp-servers/client` : null,
    };
  }

  /** Closes connections that have changed, and connects those that start by themselves. */
  private async refresh(): Promise<void> {
    try {
      const rows = await this.repository.list(null);
      for (const [id, { version }] of this.entries)
        if (!rows.some((row) => row.id === id && row.version === version && row.enabled))
          await this.drop(id);
      await this.connectAll(
        rows.filter(({ enabled, autoStart }) => enabled && autoStart),
        patienceMs,
      );
    } catch (error) {
      this.logger.warn({ err: error }, "couldn't start MCP servers");
    }
  }

  private apply({ id, reconnect }: EventPayload<typeof mcpServersChanged>): void {
    if (reconnect)
      for (const each of id === null ? [...this.entries.keys()] : [id]) void this.drop(each);
    void this.refresh();
  }

  private async connectAll(rows: readonly McpServerRow[], waitMs: number): Promise<void> {
    if (rows.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([late, Promise.allSettled(rows.map((row) => this.connect(row)))]);
    clearTimeout(timer);
  }

  /** Why a server can't be connected to at all. */
  private async findObstacle(row: McpServerRow): Promise<KnownFault | null> {
    if (!row.enabled) return { code: "mcp.stopped" };
    if (row.config === null) return { code: "mcp.secret-unreadable", params: { server: row.name } };
    return row.config.kind === "command" && !(await this.allowsCommands())
      ? { code: "mcp.commands-disabled" }
      : null;
  }

  private async isShared(): Promise<boolean> {
    if (this.mode === null || Date.now() - this.mode.at > modeMs) {
      const scope = { principal: servicePrincipal, workspace: null };
      const { MultiUserMode } = await this.requests.request(getAuthSettings, {}, { scope });
      this.mode = { isShared: MultiUserMode, at: Date.now() };
    }
    return this.mode.isShared;
  }

  /** As the row describes it; null: there is none yet. */
  private connectionOf({ id, version: rowVersion }: McpServerRow): McpConnection | null {
    const entry = this.entries.get(id);
    return entry?.version === rowVersion ? entry.connection : null;
  }

  private entryOf(row: McpServerRow): McpConnection {
    const entry = this.entries.get(row.id);
    if (entry !== undefined && entry.version >= row.version) return entry.connection;
    if (entry !== undefined) void this.end(entry.connection);
    const connection = this.open(row);
    this.entries.set(row.id, { version: row.version, connection });
    return connection;
  }

  private open(row: McpServerRow): McpConnection {
    const { id, name } = row;
    const config = row.config!;
    const isCommand = config.kind === "command";
    const home = path.join(this.config.CARREL_HOME, "mcp");
    const { PATH = "/usr/local/bin:/usr/bin:/bin" } = childEnvironment();
    const create = createTransports(config, {
      environment: { PATH, HOME: home },
      folder: home,
      content: this.content,
      auth: isCommand
        ? null
        : createAuth(this.signInServer(row, config.url), {
            load: () => this.repository.readSignIn(id),
            update: (work) => this.repository.updateSignIn(id, work),
          }),
    });
    return new McpConnection({
      label: {
        name,
        origin: isCommand ? null : new URL(config.url).origin,
        command: isCommand ? config.command : null,
      },
      client: { name: "Carrel", version },
      transports: create.map((each) => async (log) => {
        if (isCommand) await mkdir(home, { recursive: true, mode: 0o700 });
        return each(log);
      }),
      staysConnected: row.autoStart,
      onTools: (tools) => this.repository.approveFirst(id, row.version, tools),
    });
  }

  private async drop(id: number): Promise<void> {
    const entry = this.entries.get(id);
    this.entries.delete(id);
    if (entry !== undefined) await this.end(entry.connection);
  }

  private end(connection: McpConnection): Promise<void> {
    const closing = connection.close().finally(() => this.closing.delete(closing));
    this.closing.add(closing);
    return closing;
  }

  /** Names all tools of all servers, whether they are offered or not, so that names don't shift. */
  private name(rows: readonly McpServerRow[]): NamedServer[] {
    const all = rows.map((row) => ({ row, connection: this.connectionOf(row) }));
    const named = assignCallNames(
      all.flatMap(({ row, connection }) => [
        ...(connection?.tools ?? []).map((listed) => ({
          server: row.name,
          tool: listed.name,
          id: row.id,
          listed,
        })),
        ...(connection === null || connection.extras.resources === 0 ? [] : resourceToolNames).map(
          (tool) => ({ server: row.name, tool, id: row.id, listed: null }),
        ),
      ]),
      rows.map(({ name }) => name),
    );
    return all.map(({ row, connection }) => {
      const own = named.filter(({ id }) => id === row.id);
      const callNames = own.flatMap(({ listed, callName }) => (listed === null ? [callName] : []));
      return {
        row,
        connection,
        listed: own.flatMap(({ listed, callName }) =>
          listed === null ? [] : [{ tool: listed, callName }],
        ),
        resources:
          connection === null || callNames.length === 0
            ? []
            : resourceTools(connection, callNames, destinationOf(row)).map((tool, at) => ({
                name: resourceToolNames[at]!,
                tool,
              })),
      };
    });
  }
}

/** For approvals: whom the input of a call goes to. */
const destinationOf = ({ name, config }: McpServerRow): string =>
  config?.kind === "address" ? `${name} (${new URL(config.url).host})` : name;
