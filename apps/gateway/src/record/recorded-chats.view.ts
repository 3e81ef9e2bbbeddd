import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  deleteRecordedChats,
  findUsers,
  findWorkspaces,
  listChatRecords,
  listRecordedChats,
  servicePrincipal,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

type FoundWorkspace = Out<typeof findWorkspaces>["workspaces"][number];
interface Owned {
  workspaceId: number;
  userId: number | null;
}
/** Results of lookups so far; null: deleted. */
interface KnownNames {
  workspaces: Map<number, FoundWorkspace | null>;
  users: Map<number, string | null>;
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

export const noNames = (): KnownNames => ({ workspaces: new Map(), users: new Map() });

/** wire-contract 2.5. */
export function usernameOf(
  { users }: KnownNames,
  { userId, sessionId }: { userId: number | null; sessionId: string | null },
): string {
  if (userId === null) return sessionId === null ? "unknown user" : "API";
  return users.get(userId) ?? "unknown user";
}

/** Names of the workspaces and users of recorded chats. */
@Injectable()
export class RecordNames {
  constructor(private readonly requests: RequestClient) {}

  /** Looks up names that aren't known yet. */
  async add(known: KnownNames, owned: readonly Owned[]): Promise<void> {
    const workspaceIds = missing(
      owned.map(({ workspaceId }) => workspaceId),
      known.workspaces,
    );
    const userIds = missing(
      owned.map(({ userId }) => userId),
      known.users,
    );
    const [{ workspaces }, { users }] = await Promise.all([
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, { scope: serviceScope }),
      userIds.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids: userIds }, { scope: serviceScope }),
    ]);
    for (const id of workspaceIds) known.workspaces.set(id, null);
    for (const workspace of workspaces) known.workspaces.set(workspace.id, workspace);
    for (const id of userIds) known.users.set(id, null);
    for (const { id, username } of users) known.users.set(id, username);
  }
}

const missing = (ids: readonly (number | null)[], known: ReadonlyMap<number, unknown>): number[] =>
  [...new Set(ids)].filter((id) => id !== null && !known.has(id)) as number[];

/** Pages of the instance's recorded chats, combined from chat, workspace and auth. */
@Injectable()
export class RecordedChatsView {
  constructor(
    private readonly requests: RequestClient,
    private readonly names: RecordNames,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(listRecordedChats)
  async list({
    input,
    scope,
  }: Call<typeof listRecordedChats>): Promise<Out<typeof listRecordedChats>> {
    checkViewable(this.config);
    const { chats, total, nextCursor } = await this.requests.request(listChatRecords, input, {
      scope,
    });
    const known = noNames();
    await this.names.add(
      known,
      chats.map(({ workspaceId, user_id: userId }) => ({ workspaceId, userId })),
    );
    return {
      chats: chats.map((chat) => {
        const workspace = known.workspaces.get(chat.workspaceId);
        return {
          ...chat,
          // Chats are listed even if the workspace or user was deleted.
          workspace: workspace
            ? { name: workspace.name, slug: workspace.slug }
            : { name: "deleted workspace", slug: null },
          user: {
            username: usernameOf(known, { userId: chat.user_id, sessionId: chat.api_session_id }),
          },
        };
      }),
      hasPages: nextCursor !== null,
      totalChats: total,
      nextCursor,
    };
  }

  @Route(deleteRecordedChats)
  delete({
    input,
    scope,
  }: Call<typeof deleteRecordedChats>): Promise<Out<typeof deleteRecordedChats>> {
    checkViewable(this.config);
    return this.requests.request(deleteRecordedChats, input, { scope });
  }
}

/** DISABLE_VIEW_CHAT_HISTORY hides recorded chats from everyone, API keys included. */
export function checkViewable(config: Pick<ProcessConfig, "DISABLE_VIEW_CHAT_HISTORY">): void {
  if (config.DISABLE_VIEW_CHAT_HISTORY) throw new CarrelError("access.chat-history-disabled");
}
