import {
  CarrelError,
  confirmWorkspaceDeleted,
  findWorkspaces,
  getWorkspaceSettings,
  listWorkspaceIds,
  resolveSettings,
  resolveWorkspace,
  restoreSettings,
  type In,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import type { SecretBox } from "@carrel/database";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Module } from "@nestjs/common";

/** The workspace service's answers; tests change them. */
export interface WorkspaceDouble {
  settings: Record<string, string>;
  /** Settings version; defaults to 1. */
  version?: number;
  workspaces: number[];
  confirmed: number[];
  /** Workspace ids by user, for users with role default. */
  members?: Map<number, number[]>;
}

const workspaceRow = (id: number): WorkspaceWire => ({
  id,
  name: `w${id}`,
  slug: `w${id}`,
  vectorTag: null,
  createdAt: "",
  openAiTemp: null,
  openAiHistory: 20,
  lastUpdatedAt: "",
  openAiPrompt: null,
  similarityThreshold: 0.25,
  chatProvider: null,
  chatModel: null,
  topN: 4,
  chatMode: "chat",
  pfpFilename: null,
  agentProvider: null,
  agentModel: null,
  queryRefusalResponse: null,
  vectorSearchMode: "default",
  router_id: null,
});

export function workspaceDouble(state: WorkspaceDouble, box: SecretBox): ServiceDefinition {
  @Controller()
  class WorkspaceDoubleHandler {
    @Handle(resolveSettings)
    settings(): Promise<Out<typeof resolveSettings>> {
      return Promise.resolve({ values: state.settings, secrets: {}, version: state.version ?? 1 });
    }
    @Handle(restoreSettings)
    restore(input: In<typeof restoreSettings>): Promise<Out<typeof restoreSettings>> {
      const opened = Object.entries(input.secrets).map(
        ([key, sealed]) => [key, sealed === null ? null : box.open(sealed)] as const,
      );
      state.settings = Object.fromEntries(
        [
          ...Object.entries({ ...state.settings, ...input.values, ...Object.fromEntries(opened) }),
        ].filter((entry): entry is [string, string] => entry[1] !== null),
      );
      state.version = (state.version ?? 1) + 1;
      return Promise.resolve({ locked: [] });
    }
    @Handle(listWorkspaceIds)
    list(
      _input: In<typeof listWorkspaceIds>,
      { scope: { principal } }: RequestContext,
    ): Promise<Out<typeof listWorkspaceIds>> {
      return Promise.resolve({
        next: null,
        ids:
          principal.role === "default"
            ? (state.members?.get(principal.userId ?? 0) ?? [])
            : state.workspaces,
      });
    }
    @Handle(findWorkspaces)
    find(
      { ids }: In<typeof findWorkspaces>,
      { scope: { principal } }: RequestContext,
    ): Promise<Out<typeof findWorkspaces>> {
      const usable =
        principal.role === "default"
          ? (state.members?.get(principal.userId ?? 0) ?? [])
          : state.workspaces;
      return Promise.resolve({
        workspaces: ids
          .filter((id) => usable.includes(id))
          .map((id) => ({ id, name: `w${id}`, slug: `w${id}` })),
      });
    }
    @Handle(getWorkspaceSettings)
    workspace(
      _input: In<typeof getWorkspaceSettings>,
      { scope }: RequestContext,
    ): Promise<Out<typeof getWorkspaceSettings>> {
      return Promise.resolve({ workspace: workspaceRow(scope.workspace!.id) });
    }
    @Handle(resolveWorkspace)
    resolve(
      input: In<typeof resolveWorkspace>,
      { scope: { principal } }: RequestContext,
    ): Promise<Out<typeof resolveWorkspace>> {
      const id = (
        principal.role === "default"
          ? (state.members?.get(principal.userId ?? 0) ?? [])
          : state.workspaces
      ).find((one) => input.slug === `w${one}`);
      if (id === undefined) throw new CarrelError("workspace.not-found");
      return Promise.resolve({ scope: { principal, workspace: { id, slug: input.slug } } });
    }
    @Handle(confirmWorkspaceDeleted)
    confirm(
      input: In<typeof confirmWorkspaceDeleted>,
      _context: RequestContext,
    ): Promise<Out<typeof confirmWorkspaceDeleted>> {
      state.confirmed.push(input.workspaceId);
      return Promise.resolve({});
    }
  }
  class WorkspaceDoubleModule {}
  Module({ controllers: [WorkspaceDoubleHandler] })(WorkspaceDoubleModule);
  return {
    name: "workspace",
    module: WorkspaceDoubleModule,
    contracts: {
      operations: [
        resolveSettings,
        getWorkspaceSettings,
        restoreSettings,
        findWorkspaces,
        listWorkspaceIds,
        resolveWorkspace,
        confirmWorkspaceDeleted,
      ],
      jobs: [],
      events: [],
    },
  };
}
