import {
  CarrelError,
  findUsers,
  findWorkspaces,
  listChatRecords,
  listDeveloperChats,
  servicePrincipal,
  type Out,
  type Scope,
} from "@carrel/contracts";
import type { InstanceConfig } from "@carrel/config";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

const pageSize = 20;
const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const distinct = (ids: readonly (number | null)[]): number[] =>
  [...new Set(ids)].filter((id) => id !== null);

type Records = Out<typeof listChatRecords>["chats"];
type Workspaces = Out<typeof findWorkspaces>["workspaces"];
type Users = Out<typeof findUsers>["users"];

/**
 * Adds workspace and user names to rows; pure (wire-contract 2.5). Rows are kept even if the
 * workspace or user was deleted.
 */
function nameChats(
  chats: Records,
  workspaces: Workspaces,
  users: Users,
): Out<typeof listDeveloperChats>["chats"] {
  const [named, known] = [
    new Map(workspaces.map((workspace) => [workspace.id, workspace])),
    new Map(users.map((user) => [user.id, user.username])),
  ];
  return chats.map((chat) => {
    const workspace = named.get(chat.workspaceId);
    const fallbackName = chat.api_session_id !== null ? "API" : "unknown user";
    return {
      ...chat,
      workspace:
        workspace === undefined
          ? { name: "deleted workspace", slug: null }
          : { name: workspace.name, slug: workspace.slug },
      user: {
        username:
          chat.user_id === null ? fallbackName : (known.get(chat.user_id) ?? "unknown user"),
      },
    };
  });
}

/** Pages of the instance's recorded chats, combined from chat, workspace and auth. */
@Injectable()
export class DeveloperChatsView {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Route(listDeveloperChats)
  async list({
    input,
    scope,
  }: Call<typeof listDeveloperChats>): Promise<Out<typeof listDeveloperChats>> {
    if (this.config.DISABLE_VIEW_CHAT_HISTORY)
      throw new CarrelError("access.chat-history-disabled");
    const { chats, total } = await this.requests.request(
      listChatRecords,
      { offset: input.offset, limit: pageSize },
      { scope },
    );
    const [workspaceIds, userIds] = [
      distinct(chats.map((chat) => chat.workspaceId)),
      distinct(chats.map((chat) => chat.user_id)),
    ];
    const [{ workspaces }, { users }] = await Promise.all([
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, { scope: serviceScope }),
      userIds.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids: userIds }, { scope: serviceScope }),
    ]);
    return {
      chats: nameChats(chats, workspaces, users),
      hasPages: total > (input.offset + 1) * pageSize,
    };
  }
}
