import {
  applyHubItem,
  CarrelError,
  importHubItem,
  previewHubItem,
  type Fault,
  type HubPreview,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import type { BundleFile } from "./bundle-files.ts";
import { HubApplier, type Applied } from "./hub-applier.ts";
import { HubEvents } from "./hub-events.ts";
import { digestOf, toCard, type HubItem } from "./hub-item.ts";
import { HubReader } from "./hub-reader.ts";
import type { Hub } from "./hub.ts";
import { describeSkill, refusalOf } from "./skill-bundle.ts";
import { SkillInstaller } from "./skill-installer.ts";

type Found = Awaited<ReturnType<HubReader["find"]>>;

/** Shows what an import would do, and does exactly that. */
@Controller()
export class HubImportHandler {
  constructor(
    private readonly hubs: HubReader,
    private readonly applier: HubApplier,
    private readonly installer: SkillInstaller,
    private readonly events: HubEvents,
  ) {}

  @Handle(previewHubItem)
  async preview(
    { importId, workspaceSlug }: In<typeof previewHubItem>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof previewHubItem>> {
    const found = await this.hubs.find(importId, signal);
    const {
      prompt: _prompt,
      flow: _flow,
      manifest: _manifest,
      ...item
    } = toCard(found.found.item, true);
    const { preview, fault, files } = await this.describe(found, scope, workspaceSlug);
    return { item, digest: digestOf(found.found.item, files), preview, fault };
  }

  private async describe(
    { hub, found, setting }: Found,
    scope: Scope,
    workspaceSlug: string | undefined,
  ): Promise<{ preview: HubPreview; fault: Fault | null; files: BundleFile[] }> {
    const { item } = found;
    const files: BundleFile[] = [];
    switch (item.itemType) {
      case "system-prompt":
        return {
          preview: await this.applier.previewPrompt(item, scope, workspaceSlug),
          fault: null,
          files,
        };
      case "slash-command": {
        const preview = await this.applier.previewCommand(item, scope);
        const { command } = preview;
        const fault =
          preview.state === "reserved"
            ? new CarrelError("hub.command-reserved", { command }).toFault()
            : null;
        return { preview, fault, files };
      }
      case "agent-flow":
        return { preview: await this.applier.previewFlow(item, hub, scope), fault: null, files };
      case "agent-skill": {
        const fault = refusalOf(item, setting.downloads);
        if (fault !== null) return { preview: { type: item.itemType, bundle: null }, fault, files };
        const read = await found.readFiles(item);
        const bundle = describeSkill(item, read);
        return { preview: { type: item.itemType, bundle }, fault: null, files: read };
      }
    }
  }

  @Handle(applyHubItem)
  async apply(
    { importId, options }: In<typeof applyHubItem>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof applyHubItem>> {
    const { hub, found } = await this.hubs.find(importId, signal);
    requireSame(found.item, [], options.digest);
    const applied = await this.applyItem(hub, found.item, scope, options);
    await this.record(scope, hub, found.item, applied);
    return { success: true, error: null, ...applied };
  }

  private applyItem(
    hub: Hub,
    item: HubItem,
    scope: Scope,
    { workspaceSlug, replace }: In<typeof applyHubItem>["options"],
  ): Promise<Applied> {
    switch (item.itemType) {
      case "system-prompt":
        return this.applier.applyPrompt(item, scope, workspaceSlug);
      case "slash-command":
        return this.applier.applyCommand(item, scope, replace);
      case "agent-flow":
        return this.applier.applyFlow(item, hub, scope);
      case "agent-skill":
        throw new CarrelError("hub.nothing-to-apply");
    }
  }

  @Handle(importHubItem)
  async import(
    { importId, digest }: In<typeof importHubItem>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof importHubItem>> {
    const { hub, found, setting } = await this.hubs.find(importId, signal);
    const { item } = found;
    if (item.itemType !== "agent-skill") throw new CarrelError("hub.nothing-to-import");
    const refusal = refusalOf(item, setting.downloads);
    if (refusal !== null) throw CarrelError.fromFault(refusal);
    const files = await found.readFiles(item);
    requireSame(item, files, digest);
    const target = await this.installer.install(item, files, scope);
    const applied = { state: "created", target } as const;
    await this.record(scope, hub, item, applied);
    return { success: true, error: null, ...applied };
  }

  private async record(
    scope: Scope,
    hub: Hub,
    { itemType, id }: HubItem,
    { state, target }: Applied,
  ): Promise<void> {
    if (state === "unchanged") return;
    await this.events.recordItem(scope, "community_hub_import", {
      hub: hub.name,
      itemType,
      itemId: id,
      ...(itemType === "system-prompt" && { workspaceSlug: target }),
    });
  }
}

/** A hub may show one item and hand out another. */
function requireSame(
  item: HubItem,
  files: readonly BundleFile[],
  digest: string | undefined,
): void {
  if (digest !== undefined && digest !== digestOf(item, files))
    throw new CarrelError("hub.item-changed");
}
