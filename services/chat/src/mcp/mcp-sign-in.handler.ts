import { randomBytes } from "node:crypto";
import {
  CarrelError,
  beginMcpSignIn,
  completeMcpSignIn,
  mcpServersChanged,
  servicePrincipal,
  type In,
  type KnownFault,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { EgressError } from "@carrel/egress";
import { beginSignIn, completeSignIn, messageOf } from "@carrel/mcp";
import { Broadcast, Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { EventLog } from "../event-log/event-log.module.ts";
import { McpServerRepository, type McpServerRow } from "./mcp-server.repository.ts";
import { McpServers } from "./mcp-servers.ts";

/** How long a person may take on the server's sign-in page. */
const pendingMs = 10 * 60_000;
const kept = z.object({
  id: z.number().int(),
  userId: z.number().int().nullable(),
  state: z.string(),
});

/** Signs people in to MCP servers. */
@Controller()
export class McpSignInHandler {
  constructor(
    private readonly repository: McpServerRepository,
    private readonly servers: McpServers,
    private readonly broadcast: Broadcast,
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
    private readonly eventLog: EventLog,
  ) {}

  @Handle(beginMcpSignIn)
  async begin(
    { id, redirectUri }: In<typeof beginMcpSignIn>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof beginMcpSignIn>> {
    const { row, url } = await this.find(principal, id);
    const state = randomBytes(24).toString("base64url");
    // A client that was registered for another address of this instance isn't accepted.
    const earlier = await this.repository.readSignIn(id);
    const client = earlier?.redirectUri === redirectUri ? earlier.client : undefined;
    try {
      const { location, record } = await beginSignIn(this.servers.signInServer(row, url), {
        client,
        redirectUri,
        state,
        scope: this.servers.missingScope(id),
      });
      await this.repository.keepPending(id, { state, expiresAt: Date.now() + pendingMs, record });
      const sealed = this.box.seal(JSON.stringify({ id, userId: principal.userId, state }));
      return { url: location, sealed };
    } catch (error) {
      throw signInFailed(row, error);
    }
  }

  @Handle(completeMcpSignIn)
  async complete(
    { callbackUrl, sealed }: In<typeof completeMcpSignIn>,
    { scope }: RequestContext,
  ): Promise<Out<typeof completeMcpSignIn>> {
    const { id, userId, state } = this.open(sealed);
    // The server's page sends the browser back without a session.
    const principal: Principal = { ...servicePrincipal, userId };
    const { row, url } = await this.find(principal, id);
    const pending = await this.repository.takePending(id);
    const answer = new URL(callbackUrl).searchParams;
    if (pending === null || pending.expiresAt < Date.now())
      throw new CarrelError("mcp.sign-in-expired");
    if (pending.state !== state || answer.get("state") !== state)
      throw new CarrelError("mcp.sign-in-expired");
    const code = answer.get("code");
    if (code === null)
      throw signInFailed(
        row,
        new Error(answer.get("error_description") ?? answer.get("error") ?? "no code"),
      );
    try {
      const record = await completeSignIn(this.servers.signInServer(row, url), pending.record, {
        code,
        issuer: answer.get("iss"),
      });
      await this.dataSource.transaction(async (manager) => {
        await this.repository.completeSignIn(manager, row, record);
        await this.eventLog.record(manager, { ...scope, principal }, "mcp_server_signed_in", {
          name: row.name,
        });
      });
    } catch (error) {
      if (error instanceof CarrelError) throw error;
      throw signInFailed(row, error);
    }
    await this.broadcast.invalidate(mcpServersChanged, { id, reconnect: true });
    return { name: row.name };
  }

  private async find(
    principal: Pick<Principal, "userId">,
    id: number,
  ): Promise<{ row: McpServerRow; url: string }> {
    const row = await this.repository.find(principal, id);
    if (row.config?.kind !== "address") throw new CarrelError("mcp.not-found");
    return { row, url: row.config.url };
  }

  private open(sealed: string): z.infer<typeof kept> {
    try {
      return kept.parse(JSON.parse(this.box.open(sealed)));
    } catch (error) {
      if (error instanceof SecretUnreadableError) throw new CarrelError("mcp.sign-in-expired");
      throw error;
    }
  }
}

function signInFailed({ name }: McpServerRow, error: unknown): CarrelError {
  const cause = error instanceof Error ? error.cause : undefined;
  const refusal = [error, cause].find((each) => each instanceof EgressError);
  const reason: KnownFault | string = refusal?.fault ?? messageOf(error);
  return new CarrelError("mcp.sign-in-failed", { server: name, reason }, { cause: error });
}
