import type { ProcessConfig } from "@carrel/config";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { ChatImages } from "../chat/chat-images.ts";
import { GenerationRelay } from "../chat/generation-relay.ts";
import { FileDownloads } from "./file-downloads.ts";

/** What the sessions of agents work with. */
@Injectable()
export class SessionPorts {
  /** How long a session waits for the person, in ms. */
  readonly idleMs: number;

  constructor(
    readonly requests: RequestClient,
    readonly relay: GenerationRelay,
    readonly images: ChatImages,
    readonly workspaces: WorkspaceScopes,
    readonly files: FileDownloads,
    @Inject(CONFIG) config: ProcessConfig,
    @Inject(LOGGER) readonly logger: Logger,
  ) {
    this.idleMs = config.CARREL_AGENT_IDLE_SECONDS * 1_000;
  }
}
