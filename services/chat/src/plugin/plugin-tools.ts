import { CarrelError, type Principal } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import { createPluginTool, withToolFaults, type ReadyPlugin, type Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { PluginValues } from "./plugin-values.ts";
import { isConfirmed, PluginRepository, type PluginRow } from "./plugin.repository.ts";

/** Files of plugins that ran last, in this process. */
const mostKept = 8;

/** The active plugins as tools. */
@Injectable()
export class PluginTools {
  private readonly kept = new Map<string, ReadonlyMap<string, Uint8Array>>();

  constructor(
    private readonly repository: PluginRepository,
    private readonly values: PluginValues,
  ) {}

  /** @param isTaken whether another tool has this name */
  async list(
    { kind }: Pick<Principal, "kind">,
    content: ContentClient,
    isTaken: (name: string) => boolean,
  ): Promise<Tool[]> {
    // Visitors of other sites aren't members.
    if (kind === "widget") return [];
    const rows = await this.repository.listActive();
    return rows
      .filter(({ hubId }) => !isTaken(hubId))
      .map((row) => createPluginTool(this.prepare(row), content));
  }

  /**
   * A plugin whose permissions are confirmed. Throws `plugin.not-confirmed`.
   *
   * @param isTrial whether it runs although it is switched off
   */
  prepare(row: PluginRow, isTrial = false): ReadyPlugin {
    const { hubId, manifest, permissions } = row;
    if (permissions === null || !isConfirmed(row)) throw new CarrelError("plugin.not-confirmed");
    return {
      manifest,
      granted: permissions,
      storage: this.values.storageOf(hubId),
      load: () => withToolFaults(this.load(row, isTrial)),
    };
  }

  /** As it is now: a run may have started before an admin changed or deleted the plugin. */
  private async load(
    before: PluginRow,
    isTrial: boolean,
  ): Promise<Awaited<ReturnType<ReadyPlugin["load"]>>> {
    const { hubId, hash, permissions } = before;
    const row = await this.repository.find(hubId);
    const isSame =
      row.hash === hash && JSON.stringify(row.permissions) === JSON.stringify(permissions);
    if (!isSame || !isConfirmed(row)) throw new CarrelError("plugin.changed");
    if (!row.active && !isTrial) throw new CarrelError("plugin.not-found");
    const key = `${hubId} ${hash}`;
    const files = this.kept.get(key) ?? (await this.repository.loadFiles(hubId));
    this.kept.delete(key);
    this.kept.set(key, files);
    while (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value!);
    const args = [...this.repository.openArgs(row)].map(([name, value]) => {
      if (value === null)
        throw new CarrelError("plugin.secret-unreadable", { name, plugin: row.manifest.name });
      return [name, value] as const;
    });
    return { files, args: new Map(args) };
  }
}
