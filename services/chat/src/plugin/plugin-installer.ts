import { CarrelError, type FaultWire, type Scope } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { readPlugin } from "@carrel/skills";
import { Inject, Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { PluginFolders } from "./plugin-folders.ts";
import {
  PluginRepository,
  type KnownContents,
  type PluginRow,
  type PluginSource,
} from "./plugin.repository.ts";

/** Stores plugins: switched off, until an admin has confirmed what they may do. */
@Injectable()
export class PluginInstaller implements OnApplicationBootstrap {
  private adopting: Promise<{ folder: string; fault: FaultWire }[]> | null = null;
  /** The hash of each folder that was read, so that it is read again only after a change. */
  private readonly read = new Map<string, { changedMs: number; hash: string }>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: PluginRepository,
    private readonly folders: PluginFolders,
    private readonly eventLog: EventLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    void this.adopt().catch((error: unknown) =>
      this.logger.warn({ err: error }, "couldn't read the folder of plugins"),
    );
  }

  /** Throws CarrelError for files that make no plugin. */
  async install(
    manager: EntityManager,
    scope: Scope,
    files: ReadonlyMap<string, Uint8Array>,
    source: Exclude<PluginSource, "folder">,
  ): Promise<PluginRow> {
    const plugin = readPlugin(files);
    const { hubId, version } = plugin.manifest;
    await this.repository.put(manager, plugin, source);
    await this.eventLog.record(manager, scope, "plugin_installed", {
      hubId,
      version,
      source,
      hash: plugin.hash,
    });
    return this.repository.find(hubId, manager);
  }

  /** Adopts folders that are new or have changed; returns those that couldn't be. */
  adopt(): Promise<{ folder: string; fault: FaultWire }[]> {
    this.adopting ??= this.adoptAll().finally(() => {
      this.adopting = null;
    });
    return this.adopting;
  }

  private async adoptAll(): Promise<{ folder: string; fault: FaultWire }[]> {
    const folders = await this.folders.list();
    if (folders.length === 0) return [];
    const known = await this.repository.listKnown();
    const problems: { folder: string; fault: FaultWire }[] = [];
    for (const folder of folders) {
      try {
        await this.adoptFolder(folder, known.get(folder));
      } catch (error) {
        if (!(error instanceof CarrelError)) {
          this.logger.warn({ err: error, folder }, "couldn't read a plugin");
          continue;
        }
        problems.push({ folder, fault: error.toFault() });
      }
    }
    return problems;
  }

  /** Throws CarrelError, also for content that isn't adopted again. */
  private async adoptFolder(folder: string, known: KnownContents | undefined): Promise<void> {
    const changedMs = await this.folders.changedMs(folder);
    const read = this.read.get(folder);
    const hash = read?.changedMs === changedMs ? read.hash : await this.adoptContent(folder);
    this.read.set(folder, { changedMs, hash });
    if (known === undefined || !known.hashes.includes(hash) || known.current === hash) return;
    // Uploads and hubs replace folders that stay where they are.
    if (known.source === null || known.source === "folder")
      throw new CarrelError("plugin.folder-known");
  }

  /** Unless it was adopted or deleted before. Returns its hash. */
  private async adoptContent(folder: string): Promise<string> {
    const plugin = readPlugin(await this.folders.read(folder));
    if (plugin.manifest.hubId !== folder)
      throw new CarrelError("plugin.manifest-invalid", { field: `hubId: not ${folder}` });
    await this.dataSource.transaction(async (manager) => {
      if (await this.repository.noteAdopted(manager, folder, plugin.hash))
        await this.repository.put(manager, plugin, "folder");
    });
    return plugin.hash;
  }
}
