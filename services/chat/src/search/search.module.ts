import { findWorkspaces, searchChats, type In, type Out, type Principal } from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { buildQuery, cutExcerpt, matchName, wordsOf } from "./search-words.ts";
import { SearchRepository } from "./search.repository.ts";

/** Replies between services are limited to 1 MB; this many names and slugs always fit. */
const pageSize = 500;

@Controller()
class SearchHandler {
  constructor(
    private readonly repository: SearchRepository,
    private readonly requests: RequestClient,
  ) {}

  /** Searches the workspaces the caller may currently use. */
  @Handle(searchChats)
  async search(
    { term, limit }: In<typeof searchChats>,
    ctx: RequestContext,
  ): Promise<Out<typeof searchChats>> {
    const words = wordsOf(term);
    if (words.length === 0) return { threads: [], messages: [] };
    const { userId } = ctx.scope.principal;
    const ids = await this.listUsable(ctx.scope.principal);
    const [names, messages] = await Promise.all([
      this.repository.listNames(userId, ids),
      this.repository.findMessages(userId, ids, buildQuery(userId, words), limit),
    ]);
    const threads = names
      .map((thread) => ({ thread, faults: matchName(term, thread.name) }))
      .filter((match) => match.faults !== null)
      .sort((a, b) => a.faults! - b.faults!)
      .slice(0, limit)
      .map(({ thread }) => thread);
    return {
      threads,
      messages: messages.map(({ question, answer, createdAt, ...row }) => ({
        ...row,
        excerpt: cutExcerpt([answer, question], words),
        sentAt: Math.floor(createdAt.getTime() / 1000),
      })),
    };
  }

  /**
   * Lists the workspaces in which this principal has threads and that are still accessible: the
   * user may have been removed from some.
   */
  private async listUsable(principal: Principal): Promise<number[]> {
    const own = await this.repository.listWorkspaceIds(principal.userId);
    const pages = Array.from({ length: Math.ceil(own.length / pageSize) }, (_, index) =>
      own.slice(index * pageSize, (index + 1) * pageSize),
    );
    const found = await Promise.all(
      pages.map((ids) =>
        this.requests.request(findWorkspaces, { ids }, { scope: { principal, workspace: null } }),
      ),
    );
    return found.flatMap(({ workspaces }) => workspaces.map(({ id }) => id));
  }
}

@Module({ controllers: [SearchHandler], providers: [SearchRepository] })
export class SearchModule {}
