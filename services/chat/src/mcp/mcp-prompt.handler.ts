import {
  CarrelError,
  getMcpPrompt,
  listMcpPrompts,
  longestMcpPrompt,
  type Fault,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { McpError, describePrompt, messageOf, type ListedPrompt } from "@carrel/mcp";
import { Handle, type RequestContext } from "@carrel/messaging";
import { ToolError } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { SettingsCache } from "../setting/settings-cache.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { McpServerRepository, type McpServerRow } from "./mcp-server.repository.ts";
import { McpServers } from "./mcp-servers.ts";

/** Longer than connecting may take. */
const promptMs = 45_000;

/** Prompts of MCP servers, which people put into the message field and read before they send them. */
@Controller()
export class McpPromptHandler {
  constructor(
    private readonly repository: McpServerRepository,
    private readonly servers: McpServers,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(listMcpPrompts)
  async list(
    _input: In<typeof listMcpPrompts>,
    ctx: RequestContext,
  ): Promise<Out<typeof listMcpPrompts>> {
    const scope = inWorkspace(ctx.scope);
    const [servers, mayUse] = await Promise.all([
      this.servers.listPrompts(scope.principal),
      this.rules(scope),
    ]);
    return {
      prompts: servers
        .filter(({ row }) => mayUse(row))
        .flatMap(({ row: { id, name }, prompts }) =>
          prompts.map((prompt) => ({ serverId: id, server: name, ...prompt })),
        ),
    };
  }

  @Handle(getMcpPrompt)
  async get(
    { serverId, name, arguments: values }: In<typeof getMcpPrompt>,
    ctx: RequestContext,
  ): Promise<Out<typeof getMcpPrompt>> {
    const scope = inWorkspace(ctx.scope);
    const row = await this.repository.find(scope.principal, serverId);
    const mayUse = await this.rules(scope);
    if (!mayUse(row)) throw new CarrelError("mcp.not-found");
    const prompt = name;
    try {
      const connection = await this.servers.connect(row);
      const listed = connection.extras.prompts.find((each) => each.name === name);
      if (listed === undefined)
        throw new CarrelError("mcp.prompt-not-found", { server: row.name, prompt });
      requireArguments(listed, values);
      const signal = AbortSignal.timeout(promptMs);
      const { text, leftOut } = describePrompt(await connection.getPrompt(name, values, signal));
      if (text === "") throw new CarrelError("mcp.prompt-empty", { prompt });
      const bytes = Buffer.byteLength(text);
      if (bytes > longestMcpPrompt)
        throw new CarrelError("mcp.prompt-too-large", {
          prompt,
          kilobytes: Math.ceil(bytes / 1_000),
          limit: longestMcpPrompt / 1_000,
        });
      return { text, leftOut };
    } catch (error) {
      throw toCarrelError(row, prompt, error);
    }
  }

  /** Who may use a server's tools may use its prompts. */
  private async rules(scope: WorkspaceScope): Promise<(row: McpServerRow) => boolean> {
    const { rules } = await this.settings.getAgentSettings(scope);
    return ({ name }) => rules[`mcp:${name}`] !== "forbid";
  }
}

function requireArguments(prompt: ListedPrompt, values: Record<string, string>): void {
  const missing = prompt.arguments.find(
    ({ name, isRequired }) => isRequired && (values[name] ?? "").trim() === "",
  );
  if (missing !== undefined)
    throw new CarrelError("mcp.prompt-argument-missing", {
      prompt: prompt.title ?? prompt.name,
      argument: missing.title ?? missing.name,
    });
}

function toCarrelError({ name: server }: McpServerRow, prompt: string, error: unknown): unknown {
  if ((error as { name?: unknown }).name === "TimeoutError")
    return new CarrelError("mcp.call-timed-out", {
      server,
      tool: prompt,
      seconds: promptMs / 1_000,
    });
  if (!(error instanceof McpError || error instanceof ToolError)) return error;
  if (error.fault !== null) return CarrelError.fromFault(error.fault as Fault, error);
  const reason = messageOf(error.cause ?? error);
  return new CarrelError("mcp.prompt-failed", { server, prompt, reason }, { cause: error });
}
