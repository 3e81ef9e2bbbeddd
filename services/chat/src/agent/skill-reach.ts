import { keepOutlookToken, servicePrincipal, type AgentSettings } from "@carrel/contracts";
import { createContentClient, type ContentClient } from "@carrel/egress";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { createFilesystemAgent, createOutlook, type Tool } from "@carrel/skills";
import { Inject, Injectable } from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { AgentSchedules } from "./agent-schedules.ts";

/** What skills reach besides documents and memories. */
@Injectable()
export class SkillReach {
  readonly content: ContentClient;
  readonly folderTools: Tool[];

  constructor(
    private readonly requests: RequestClient,
    readonly schedules: AgentSchedules,
    @Inject(CONFIG) config: ChatConfig & { CARREL_HOME: string },
  ) {
    this.content = createContentClient({ allow: config.CARREL_LINK_ALLOW });
    this.folderTools =
      config.CARREL_AGENT_FOLDERS.length === 0
        ? []
        : createFilesystemAgent({ folders: config.CARREL_AGENT_FOLDERS, home: config.CARREL_HOME });
  }

  /** None before somebody has signed in. */
  outlookTools(outlook: AgentSettings["outlook"]): Tool[] {
    if (outlook?.refreshToken == null) return [];
    const { clientId } = outlook;
    let replaces = outlook.refreshToken;
    return createOutlook(outlook, {
      keepRefreshToken: async (refreshToken) => {
        await this.requests.request(
          keepOutlookToken,
          { clientId, refreshToken, replaces },
          { scope: { principal: servicePrincipal, workspace: null } },
        );
        replaces = refreshToken;
      },
    });
  }
}
