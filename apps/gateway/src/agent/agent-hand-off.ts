import { randomUUID } from "node:crypto";
import {
  createInvocation,
  getWorkspaceSettings,
  type Args,
  type ChatMode,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { WorkspaceFreshness, type ReadTime } from "../access/workspace-freshness.ts";
import type { EventStream } from "../stream/event-stream.ts";

const swapping =
  "@agent: Swapping over to agent chat. Type /exit to exit agent execution loop early.";
const isCommand = /^\/(?:reset|img)\b/i;

/** Hands messages of existing clients over to an agent's session (wire-contract 5.1). */
@Injectable()
export class AgentHandOff {
  private readonly modes = new LRUCache<number, { mode: ChatMode; readAt: ReadTime }>({
    max: 10_000,
  });

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

  /** Whether an agent is to answer; Carrel's own clients read its steps in the stream. */
  async isWanted(
    message: string,
    mode: ChatMode | undefined,
    { scope, request }: { scope: Scope; request: FastifyRequest },
  ): Promise<boolean> {
    if (request.headers["x-carrel-stream"] === "1") return false;
    if (message.startsWith("@agent")) return true;
    if (isCommand.test(message)) return false;
    // If the mode can't be read, the answer itself reports why.
    return (mode ?? (await this.findMode(scope).catch(() => null))) === "automatic";
  }

  /** Returns the session's address; null: no agent can be called here. */
  async create(asked: Args<typeof createInvocation>, scope: Scope): Promise<string | null> {
    return (await this.requests.request(createInvocation, asked, { scope })).uuid;
  }

  async announce(stream: EventStream, websocketUUID: string): Promise<void> {
    const id = randomUUID();
    const frames = [
      {
        id,
        type: "agentInitWebsocketConnection",
        textResponse: null,
        sources: [],
        close: false,
        error: null,
        websocketUUID,
      },
      {
        id,
        type: "statusResponse",
        textResponse: swapping,
        sources: [],
        close: true,
        error: null,
        animate: true,
      },
    ];
    for (const frame of frames) await stream.send(JSON.stringify(frame));
    stream.end();
  }

  private async findMode(scope: Scope): Promise<ChatMode> {
    const { id } = scope.workspace!;
    const known = this.modes.get(id);
    if (known !== undefined && this.freshness.isCurrent(known.readAt)) return known.mode;
    const readAt = this.freshness.now();
    const { workspace } = await this.requests.request(getWorkspaceSettings, {}, { scope });
    this.modes.set(id, { mode: workspace.chatMode, readAt });
    return workspace.chatMode;
  }
}
