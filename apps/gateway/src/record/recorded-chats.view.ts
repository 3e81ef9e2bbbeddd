import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  deleteRecordedChats,
  listChatRecords,
  listRecordedChats,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { noNames, RecordNames, usernameOf } from "./record-names.ts";

/** Pages of the instance's recorded chats, combined from chat, workspace and auth. */
@Injectable()
export class RecordedChatsView {
  constructor(
    private readonly requests: RequestClient,
    private readonly names: RecordNames,
    @Inject(CONFIG) private readonly config: InstanceConfig,
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
export function checkViewable(config: Pick<InstanceConfig, "DISABLE_VIEW_CHAT_HISTORY">): void {
  if (config.DISABLE_VIEW_CHAT_HISTORY) throw new CarrelError("access.chat-history-disabled");
}
