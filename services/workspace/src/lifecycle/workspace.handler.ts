import {
  CarrelError,
  confirmWorkspaceDeleted,
  createWorkspace,
  deleteWorkspace,
  findMissingWorkspaces,
  findWorkspaces,
  getWorkspaceSettings,
  listWorkspaceIds,
  listWorkspaces,
  readWorkspace,
  readWorkspacePage,
  resolveWorkspace,
  searchWorkspaces,
  updateWorkspace,
  workspaceDeleted,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { distance } from "fastest-levenshtein";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { DefaultPrompt } from "../prompt-history/prompt-history.repository.ts";
import { findProvider } from "../setting/setting-definition.ts";
import {
  WorkspaceChanges,
  WorkspaceReadRepository,
} from "../workspace/workspace-read.repository.ts";
import { mapUpdateToColumns, mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { WorkspaceLifecycle, WorkspaceUpdates } from "./workspace-lifecycle.ts";

const maxFound = 100;
/** Maximum edit distance between a name and the term (wire-contract 3.3). */
const maxFaults = 3;
/** Lower case without diacritics, the same folding as in message search. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .trim();

/**
 * Finds names that contain the term or are within three edits of it: first those starting with it,
 * then those containing it, then by edit distance. At least one letter must match, so entirely
 * different three-letter words don't count.
 */
export function searchNames<Named extends { name: string }>(
  all: readonly Named[],
  term: string,
): Named[] {
  const wanted = fold(term);
  if (wanted === "") return [];
  const found: { one: Named; rank: number }[] = [];
  for (const one of all) {
    const name = fold(one.name);
    const at = name.indexOf(wanted);
    if (at >= 0) found.push({ one, rank: at === 0 ? -2 : -1 });
    else if (Math.abs(name.length - wanted.length) <= maxFaults) {
      const faults = distance(name, wanted);
      if (faults <= maxFaults && faults < Math.min(name.length, wanted.length))
        found.push({ one, rank: faults });
    }
  }
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxFound)
    .map(({ one }) => one);
}

const findUnknownProvider = ({
  chatProvider,
  agentProvider,
}: ReturnType<typeof mapUpdateToColumns>): string | undefined =>
  [chatProvider, agentProvider]
    .filter((id) => typeof id === "string")
    .find((id) => findProvider("language", id) === undefined);

@Controller()
export class WorkspaceHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly reads: WorkspaceReadRepository,
    private readonly lifecycle: WorkspaceLifecycle,
    private readonly changes: WorkspaceChanges,
    private readonly defaultPrompt: DefaultPrompt,
    private readonly updates: WorkspaceUpdates,
  ) {}

  @Handle(listWorkspaces)
  async list(
    _input: In<typeof listWorkspaces>,
    context: RequestContext,
  ): Promise<Out<typeof listWorkspaces>> {
    return { workspaces: (await this.workspaces.list(context.scope)).map(mapWorkspaceToWire) };
  }

  @Handle(readWorkspacePage)
  readPage(
    { after, knownVersion }: In<typeof readWorkspacePage>,
    context: RequestContext,
  ): Promise<Out<typeof readWorkspacePage>> {
    return this.reads.page(context.scope, after, knownVersion);
  }

  @Handle(listWorkspaceIds)
  listIds(
    { after }: In<typeof listWorkspaceIds>,
    context: RequestContext,
  ): Promise<Out<typeof listWorkspaceIds>> {
    return this.reads.ids(context.scope, after);
  }

  @Handle(readWorkspace)
  async read(
    _input: In<typeof readWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof readWorkspace>> {
    const workspace = await this.reads.find(requireWorkspace(context.scope));
    if (workspace === null) throw unknownWorkspace();
    return { workspace };
  }

  @Handle(resolveWorkspace)
  async resolve(
    input: In<typeof resolveWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof resolveWorkspace>> {
    const workspace = await this.workspaces.findBySlug(context.scope, input.slug);
    if (workspace === null) throw unknownWorkspace();
    const { principal } = context.scope;
    const { id, slug } = workspace;
    const isOwn =
      principal.kind === "user" &&
      principal.role === "default" &&
      workspace.userId === principal.userId;
    return { scope: { principal, workspace: { id, slug, ...(isOwn && { isOwn }) } } };
  }

  @Handle(getWorkspaceSettings)
  async settings(
    _input: In<typeof getWorkspaceSettings>,
    context: RequestContext,
  ): Promise<Out<typeof getWorkspaceSettings>> {
    const scope = requireWorkspace(context.scope);
    const [workspace, defaultPrompt] = await Promise.all([
      this.workspaces.find(scope),
      this.defaultPrompt.read(scope),
    ]);
    if (workspace === null) throw unknownWorkspace();
    return {
      defaultPrompt,
      workspace: mapWorkspaceToWire(workspace),
      fallbackModels: workspace.fallbackModels,
      parameters: workspace.answerParameters,
    };
  }

  @Handle(createWorkspace)
  async create(
    input: In<typeof createWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof createWorkspace>> {
    const columns = mapUpdateToColumns(input.settings ?? {});
    const provider = findUnknownProvider(columns);
    if (provider !== undefined)
      throw new CarrelError("setting.language-provider-unknown", { provider });
    const created = await keyed(this.dataSource, context, async (manager) => {
      const { scope } = context;
      const workspace = await this.lifecycle.create(scope, manager, input.name);
      if (Object.keys(columns).length === 0) return { workspace, message: null };
      const updated = await this.updates.apply({ ...scope, workspace }, manager, columns);
      return { workspace: mapWorkspaceToWire(updated), message: null };
    });
    await this.lifecycle.announceCreation(created.workspace.id);
    return created;
  }

  @Handle(updateWorkspace)
  async update(
    input: In<typeof updateWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof updateWorkspace>> {
    const scope = requireWorkspace(context.scope);
    const columns = mapUpdateToColumns(input);
    if (Object.keys(columns).length === 0)
      return {
        workspace: { id: scope.workspace.id },
        fault: { code: "workspace.nothing-to-update" },
      };
    const unknown = findUnknownProvider(columns);
    if (unknown !== undefined)
      return {
        workspace: { id: scope.workspace.id },
        fault: { code: "setting.language-provider-unknown", params: { provider: unknown } },
      };
    const updated = await this.dataSource.transaction(async (manager) => {
      const workspace = await this.updates.apply(scope, manager, columns);
      return { workspace: mapWorkspaceToWire(workspace), fault: null };
    });
    await this.changes.announce(scope.workspace.id);
    return updated;
  }

  @Handle(deleteWorkspace)
  async delete(
    _input: In<typeof deleteWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof deleteWorkspace>> {
    this.lifecycle.requireDeletable();
    const scope = requireWorkspace(context.scope);
    // A redelivery finds the tombstone, which means the requested deletion has happened.
    const removed = await this.dataSource.transaction((manager) =>
      this.lifecycle.remove(scope, manager),
    );
    await this.lifecycle.announceRemoval(scope.workspace.id);
    return { pictureKey: removed?.pictureKey ?? null };
  }

  @Handle(searchWorkspaces)
  async search(
    { term }: In<typeof searchWorkspaces>,
    context: RequestContext,
  ): Promise<Out<typeof searchWorkspaces>> {
    return {
      workspaces: searchNames(await this.workspaces.listAllNames(context.scope), term).map(
        ({ id, slug, name }) => ({ id, slug, name }),
      ),
    };
  }

  @Handle(findWorkspaces)
  async findMany(
    input: In<typeof findWorkspaces>,
    context: RequestContext,
  ): Promise<Out<typeof findWorkspaces>> {
    const workspaces = await this.workspaces.listNames(context.scope, input.ids);
    return { workspaces: workspaces.map(({ id, name, slug }) => ({ id, name, slug })) };
  }

  /**
   * For the daily reconciliation; a tombstone doesn't count as missing, because its deletion is
   * still in progress.
   */
  @Handle(findMissingWorkspaces)
  async findMissing(
    input: In<typeof findMissingWorkspaces>,
    context: RequestContext,
  ): Promise<Out<typeof findMissingWorkspaces>> {
    return { ids: await this.workspaces.listMissing(context.scope, input.ids) };
  }

  @Handle(confirmWorkspaceDeleted)
  async confirmDeleted(
    input: In<typeof confirmWorkspaceDeleted>,
    context: RequestContext,
  ): Promise<Out<typeof confirmWorkspaceDeleted>> {
    await this.workspaces.confirmDeleted(
      context.scope,
      input.workspaceId,
      input.service,
      workspaceDeleted.consumers,
    );
    return {};
  }
}
