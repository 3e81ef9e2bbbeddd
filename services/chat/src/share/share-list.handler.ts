import { Controller } from "@nestjs/common";
import {
  findUsers,
  findWorkspaces,
  listAllShares,
  listShares,
  maxListedShares,
  type In,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { ShareRepository, type ListedShare } from "./share.repository.ts";

type Listed = Out<typeof listShares>["shares"][number];

@Controller()
export class ShareListHandler {
  constructor(
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(listShares)
  async list(
    _input: In<typeof listShares>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listShares>> {
    return {
      shares: await this.addWorkspaces(
        principal,
        await this.shares.list(principal.userId, maxListedShares),
      ),
    };
  }

  @Handle(listAllShares)
  async listAll(
    _input: In<typeof listAllShares>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listAllShares>> {
    const found = await this.shares.list(undefined, maxListedShares);
    const ids = [...new Set(found.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
    const [shares, { users }] = await Promise.all([
      this.addWorkspaces(principal, found),
      ids.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids }, { scope: { principal, workspace: null } }),
    ]);
    const names = new Map(users.map(({ id, username }) => [id, username]));
    return {
      shares: shares.map((share, index) => ({
        ...share,
        owner: names.get(found[index]!.userId ?? 0) ?? null,
      })),
    };
  }

  private async addWorkspaces(
    principal: Principal,
    found: readonly ListedShare[],
  ): Promise<Listed[]> {
    const ids = [...new Set(found.map(({ workspaceId }) => workspaceId))];
    const { workspaces } =
      ids.length === 0
        ? { workspaces: [] }
        : await this.requests.request(
            findWorkspaces,
            { ids },
            { scope: { principal, workspace: null } },
          );
    const byId = new Map(workspaces.map(({ id, slug, name }) => [id, { slug, name }]));
    return found.map(({ share, workspaceId, thread }) => ({
      ...share,
      thread,
      workspace: byId.get(workspaceId) ?? null,
    }));
  }
}
