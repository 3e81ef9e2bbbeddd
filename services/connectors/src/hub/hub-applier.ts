import {
  CarrelError,
  clipText,
  createPreset,
  getWorkspaceSettings,
  importFlow,
  isSystemCommand,
  listPresets,
  resolveWorkspace,
  toCommand,
  updatePreset,
  updateWorkspace,
  type Fault,
  type HubPreview,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { describeFlow, toFlow } from "./flow-preview.ts";
import type { HubItem } from "./hub-item.ts";
import type { Hub } from "./hub.ts";

type ItemOf<Type extends HubItem["itemType"]> = Extract<HubItem, { itemType: Type }>;
type PreviewOf<Type extends HubPreview["type"]> = Extract<HubPreview, { type: Type }>;
type Preset = Out<typeof listPresets>["presets"][number];

export interface Applied {
  state: "created" | "updated" | "unchanged";
  target: string;
}

/** Takes prompts, commands and flows over, on behalf of the person who asks for it. */
@Injectable()
export class HubApplier {
  constructor(private readonly client: RequestClient) {}

  /** Throws `workspace.not-found`. */
  private async enter({ principal }: Scope, slug: string): Promise<Scope> {
    const outside = { principal, workspace: null };
    const { scope } = await this.client.request(resolveWorkspace, { slug }, { scope: outside });
    return scope;
  }

  async previewPrompt(
    item: ItemOf<"system-prompt">,
    scope: Scope,
    slug: string | undefined,
  ): Promise<PreviewOf<"system-prompt">> {
    const preview = { type: item.itemType, prompt: item.prompt };
    if (!slug) return { ...preview, workspace: null };
    const within = await this.enter(scope, slug);
    const { workspace, defaultPrompt = "" } = await this.client.request(
      getWorkspaceSettings,
      {},
      { scope: within },
    );
    const { name, openAiPrompt } = workspace;
    return {
      ...preview,
      workspace: {
        slug: workspace.slug,
        name,
        currentPrompt: openAiPrompt ?? defaultPrompt,
        usesDefault: openAiPrompt === null,
      },
    };
  }

  async applyPrompt(
    { prompt }: ItemOf<"system-prompt">,
    scope: Scope,
    slug: string | null | undefined,
  ): Promise<Applied> {
    if (!slug) throw new CarrelError("hub.workspace-missing");
    const within = await this.enter(scope, slug);
    const { workspace } = await this.client.request(getWorkspaceSettings, {}, { scope: within });
    if (workspace.openAiPrompt === prompt) return { state: "unchanged", target: workspace.slug };
    const { fault } = await this.client.request(
      updateWorkspace,
      { slug: workspace.slug, openAiPrompt: prompt },
      { scope: { ...within, ...(scope.address !== undefined && { address: scope.address }) } },
    );
    if (fault) throw CarrelError.fromFault(fault as Fault);
    return { state: "updated", target: workspace.slug };
  }

  private async findPreset(scope: Scope, command: string): Promise<Preset | undefined> {
    const { presets } = await this.client.request(listPresets, {}, { scope });
    return presets.find((preset) => preset.command === command);
  }

  async previewCommand(
    item: ItemOf<"slash-command">,
    scope: Scope,
  ): Promise<PreviewOf<"slash-command">> {
    const { itemType, prompt, description } = item;
    const command = toCommand(item.command)!;
    const existing = await this.findPreset(scope, command);
    return {
      type: itemType,
      command,
      prompt,
      description,
      state: isSystemCommand(command)
        ? "reserved"
        : existing === undefined
          ? "new"
          : existing.prompt === prompt
            ? "same"
            : "taken",
      current: existing?.prompt ?? null,
    };
  }

  async applyCommand(
    item: ItemOf<"slash-command">,
    scope: Scope,
    replaces: boolean,
  ): Promise<Applied> {
    const command = toCommand(item.command)!;
    if (isSystemCommand(command)) throw new CarrelError("hub.command-reserved", { command });
    const fields = {
      command,
      prompt: item.prompt,
      description: clipText(item.description, 2_000),
    };
    const existing = await this.findPreset(scope, command);
    if (existing === undefined) {
      await this.client.request(createPreset, fields, { scope });
      return { state: "created", target: command };
    }
    if (existing.prompt === item.prompt) return { state: "unchanged", target: command };
    if (!replaces) throw new CarrelError("hub.command-taken", { command });
    await this.client.request(updatePreset, { id: existing.id, ...fields }, { scope });
    return { state: "updated", target: command };
  }

  async previewFlow(
    item: ItemOf<"agent-flow">,
    hub: Hub,
    scope: Scope,
  ): Promise<PreviewOf<"agent-flow">> {
    const flow = toFlow(hub, item);
    const found = await this.client.request(importFlow, { ...flow, dryRun: true }, { scope });
    return describeFlow(flow, found);
  }

  async applyFlow(item: ItemOf<"agent-flow">, hub: Hub, scope: Scope): Promise<Applied> {
    const flow = toFlow(hub, item);
    const { state } = await this.client.request(importFlow, flow, { scope });
    const outcome = { new: "created", same: "unchanged", changed: "updated" } as const;
    return { state: outcome[state], target: flow.id };
  }
}
