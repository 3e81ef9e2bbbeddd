import {
  CarrelError,
  createPreset,
  getWorkspaceSettings,
  importFlow,
  installPlugin,
  listPresets,
  resolveWorkspace,
  updatePreset,
  updateWorkspace,
  type In,
  type Operation,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import type { BlobStore } from "@carrel/storage";
import { Controller, Module } from "@nestjs/common";
import JSZip from "jszip";

/** What workspace and chat have kept; tests read and change it. */
export class HubRecord {
  presets: Out<typeof listPresets>["presets"] = [];
  readonly prompts = new Map<string, string | null>([["field-notes", null]]);
  readonly flows = new Map<string, In<typeof importFlow>>();
  /** The files of each installed skill, by its ID. */
  readonly skills = new Map<string, Map<string, string>>();
  /** For the archives of skills. */
  blobs: BlobStore | null = null;

  reset(): void {
    this.presets = [];
    this.flows.clear();
    this.skills.clear();
    this.prompts.set("field-notes", null);
  }
}

const workspaceOf = (slug: string, openAiPrompt: string | null) =>
  ({ id: 7, slug, name: "Field notes", openAiPrompt }) as Out<
    typeof getWorkspaceSettings
  >["workspace"];

function define(name: "workspace" | "chat", type: object, operations: Operation[]) {
  class DoubleModule {}
  Module({ controllers: [type as never] })(DoubleModule);
  return { name, module: DoubleModule, contracts: { operations, jobs: [], events: [] } };
}

/** Stands in for workspace; it checks nobody's rights. */
function workspaceDouble(record: HubRecord): ServiceDefinition {
  @Controller()
  class WorkspaceDouble {
    @Handle(resolveWorkspace)
    resolve({ slug }: In<typeof resolveWorkspace>, { scope }: RequestContext) {
      if (!record.prompts.has(slug)) throw new CarrelError("workspace.not-found");
      return Promise.resolve({ scope: { ...scope, workspace: { id: 7, slug } } });
    }

    @Handle(getWorkspaceSettings)
    settings(_input: object, { scope }: RequestContext) {
      const { slug } = scope.workspace!;
      const workspace = workspaceOf(slug, record.prompts.get(slug) ?? null);
      return Promise.resolve({ workspace: whole(workspace), defaultPrompt: "The default." });
    }

    @Handle(updateWorkspace)
    update({ slug, openAiPrompt }: In<typeof updateWorkspace>) {
      record.prompts.set(slug, openAiPrompt ?? null);
      return Promise.resolve({ workspace: { id: 7 }, fault: null });
    }

    @Handle(listPresets)
    list(): Promise<Out<typeof listPresets>> {
      return Promise.resolve({ presets: record.presets });
    }

    @Handle(createPreset)
    create(fields: In<typeof createPreset>): Promise<Out<typeof createPreset>> {
      const preset = { id: record.presets.length + 1, ...fields };
      record.presets.push(preset);
      return Promise.resolve({ preset: fullPreset(preset) });
    }

    @Handle(updatePreset)
    change({ id, ...fields }: In<typeof updatePreset>): Promise<Out<typeof updatePreset>> {
      record.presets = record.presets.map((each) => (each.id === id ? { id, ...fields } : each));
      return Promise.resolve({ preset: fullPreset({ id, ...fields }) });
    }
  }
  return define("workspace", WorkspaceDouble, [
    resolveWorkspace,
    getWorkspaceSettings,
    updateWorkspace,
    listPresets,
    createPreset,
    updatePreset,
  ]);
}

const fullPreset = (preset: Out<typeof listPresets>["presets"][number]) => ({
  ...preset,
  uid: 0,
  userId: null,
  createdAt: new Date().toISOString(),
  lastUpdatedAt: new Date().toISOString(),
});

const whole = (part: ReturnType<typeof workspaceOf>): typeof part =>
  ({
    vectorTag: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    openAiTemp: null,
    openAiHistory: 20,
    lastUpdatedAt: "2026-01-01T00:00:00.000Z",
    similarityThreshold: 0,
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
    ...Object.fromEntries(Object.entries(part)),
  }) as typeof part;

/** Stands in for chat. */
function chatDouble(record: HubRecord): ServiceDefinition {
  @Controller()
  class ChatDouble {
    @Handle(importFlow)
    import(flow: In<typeof importFlow>): Promise<Out<typeof importFlow>> {
      const before = record.flows.get(flow.id);
      const isSame = JSON.stringify(before?.steps) === JSON.stringify(flow.steps);
      if (!flow.dryRun) record.flows.set(flow.id, flow);
      const state = before === undefined ? "new" : isSame ? "same" : "changed";
      return Promise.resolve({ state, missingFlows: [], missingCredentials: ["weather"] });
    }

    @Handle(installPlugin)
    async install({
      blobKey,
      source,
    }: In<typeof installPlugin>): Promise<Out<typeof installPlugin>> {
      const { body } = await record.blobs!.get(blobKey);
      const pieces: Buffer[] = [];
      for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
      const zip = await JSZip.loadAsync(Buffer.concat(pieces));
      const files = new Map<string, string>();
      for (const [path, file] of Object.entries(zip.files))
        files.set(path, await file.async("text"));
      const { hubId } = JSON.parse(files.get("plugin.json")!) as { hubId: string };
      record.skills.set(hubId, files);
      const none = { name: "", version: "", description: "", author: "", authorUrl: "" };
      return {
        ...none,
        hubId,
        license: "",
        source,
        active: false,
        review: "new",
        missing: [],
        hash: "",
        bytes: 0,
        updatedAt: new Date().toISOString(),
      };
    }
  }
  return define("chat", ChatDouble, [importFlow, installPlugin]);
}

/** What community hubs need of other services. */
export const hubDoubles = (record: HubRecord): ServiceDefinition[] => [
  workspaceDouble(record),
  chatDouble(record),
];
