import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  chatInThreadByKey,
  createKeyThread,
  createNamedThread,
  deleteKeyThread,
  deleteThread,
  findThreadOwner,
  findUsers,
  listKeyThreadChats,
  servicePrincipal,
  streamChatInThreadByKey,
  updateKeyThread,
  updateThread,
  type ChatResult,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Authenticator } from "../access/authenticator.ts";
import { Route, type Call } from "../http/route.ts";
import { checkViewable } from "../record/recorded-chats.view.ts";
import { DeveloperHistory } from "./developer-workspace.routes.ts";
import { KeyQuestions, threadPlace } from "./key-questions.ts";

const allTurns = 100_000;

/** Threads in the developer API (wire-contract 9.5): a key acts for the owner of any thread. */
@Injectable()
export class DeveloperThreadRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly authenticator: Authenticator,
    private readonly history: DeveloperHistory,
    private readonly questions: KeyQuestions,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(createKeyThread)
  async create({
    input,
    scope,
    request,
  }: Call<typeof createKeyThread>): Promise<Out<typeof createKeyThread>> {
    const { userId, name = null, slug = null } = input.thread ?? {};
    const owner = await this.findUser(userId ?? null);
    const { thread } = await this.requests.request(
      createNamedThread,
      { name, wantedSlug: slug },
      { scope: actFor(scope, owner), idempotencyKey: request.id },
    );
    return { thread, message: null };
  }

  @Route(updateKeyThread)
  async update({
    input,
    scope,
  }: Call<typeof updateKeyThread>): Promise<Out<typeof updateKeyThread>> {
    const owner = await this.findOwner(scope, input.threadSlug);
    return this.requests.request(updateThread, input, { scope: actFor(scope, owner) });
  }

  @Route(deleteKeyThread)
  async delete({ input, scope }: Call<typeof deleteKeyThread>): Promise<void> {
    const owner = await this.findOwner(scope, input.threadSlug);
    await this.requests.request(deleteThread, input, { scope: actFor(scope, owner) });
  }

  @Route(listKeyThreadChats)
  async chats({ input, scope, reply }: Call<typeof listKeyThreadChats>): Promise<FastifyReply> {
    const { threadSlug } = input;
    await this.findViewedOwner(scope, threadSlug);
    return this.history.send(reply, scope, {
      apiSessionId: null,
      threadSlug,
      order: "asc",
      limit: allTurns,
    });
  }

  @Route(chatInThreadByKey)
  async chat(call: Call<typeof chatInThreadByKey>): Promise<ChatResult | FastifyReply> {
    return this.questions.answer(call, threadPlace(await this.findAsker(call), call.input));
  }

  @Route(streamChatInThreadByKey)
  async stream(call: Call<typeof streamChatInThreadByKey>): Promise<void> {
    return this.questions.stream(call, threadPlace(await this.findAsker(call), call.input));
  }

  /**
   * A question in someone's thread is asked on their behalf; elsewhere on behalf of the named user,
   * if any.
   */
  private async findAsker({
    input,
    scope,
  }: Pick<Call<typeof chatInThreadByKey>, "input" | "scope">): Promise<WorkspaceScope> {
    const owner = await this.findViewedOwner(scope, input.threadSlug);
    return actFor(scope, owner ?? (await this.findUser(input.userId ?? null)));
  }

  /** Throws if the owner's chats are hidden: answers would also reveal what was said before. */
  private async findViewedOwner(scope: Scope, threadSlug: string): Promise<number | null> {
    const owner = await this.findOwner(scope, threadSlug);
    if (owner !== null) checkViewable(this.config);
    return owner;
  }

  private async findOwner(scope: Scope, threadSlug: string): Promise<number | null> {
    return (await this.requests.request(findThreadOwner, { threadSlug }, { scope })).userId;
  }

  /** null on instances without accounts. */
  private async findUser(id: number | null): Promise<number | null> {
    if (id === null || !(await this.authenticator.mode()).MultiUserMode) return null;
    const scope: Scope = { principal: servicePrincipal, workspace: null };
    const { users } = await this.requests.request(findUsers, { ids: [id] }, { scope });
    if (users.length === 0) throw new CarrelError("user.unknown");
    return id;
  }
}

/** The key, acting for a user. */
const actFor = (scope: Scope, userId: number | null): WorkspaceScope =>
  ({ ...scope, principal: { ...scope.principal, userId } }) as WorkspaceScope;
