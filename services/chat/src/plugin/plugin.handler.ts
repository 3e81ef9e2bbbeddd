import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import {
  CarrelError,
  clipText,
  configureLegacyPlugin,
  confirmPlugin,
  deletePlugin,
  forgetSkillRule,
  getPlugin,
  installPlugin,
  isRecentlyProven,
  isSecretMask,
  listLegacyPlugins,
  listPlugins,
  readPluginFile,
  servicePrincipal,
  setPluginArguments,
  togglePlugin,
  type In,
  type Out,
  type PluginDetail,
  type Scope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { pluginSkill, unpackPlugin } from "@carrel/skills";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Controller, Inject } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { PluginFolders } from "./plugin-folders.ts";
import { PluginInstaller } from "./plugin-installer.ts";
import { describeLegacy, describePlugin, summarize } from "./plugin-wire.ts";
import { isConfirmed, PluginRepository, type PluginRow } from "./plugin.repository.ts";

/** Bytes of a file that are shown. */
const mostShown = 300_000;

/** What admins and existing clients request. */
@Controller()
export class PluginHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: PluginRepository,
    private readonly installer: PluginInstaller,
    private readonly folders: PluginFolders,
    private readonly eventLog: EventLog,
    private readonly requests: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  @Handle(listPlugins)
  async list(): Promise<Out<typeof listPlugins>> {
    const problems = await this.installer.adopt();
    const rows = await this.repository.list();
    return {
      plugins: rows.map((row) => summarize(row, this.repository.openArgs(row))),
      problems,
    };
  }

  @Handle(listLegacyPlugins)
  async listLegacy(): Promise<Out<typeof listLegacyPlugins>> {
    await this.installer.adopt();
    const rows = await this.repository.list();
    return { plugins: rows.map((row) => describeLegacy(row, this.repository.openArgs(row))) };
  }

  @Handle(getPlugin)
  async get({ hubId }: In<typeof getPlugin>): Promise<PluginDetail> {
    return this.describe(await this.repository.find(hubId));
  }

  @Handle(readPluginFile)
  async readFile({ hubId, path }: In<typeof readPluginFile>): Promise<Out<typeof readPluginFile>> {
    const bytes = await this.repository.readFile(hubId, path);
    if (bytes === null) throw new CarrelError("plugin.file-not-found");
    if (!isUtf8(bytes)) return { text: null, isCut: false };
    const text = bytes.toString();
    const shown = clipText(text, mostShown);
    return { text: shown, isCut: shown.length < text.length };
  }

  @Handle(installPlugin)
  async install(
    { blobKey, source }: In<typeof installPlugin>,
    { scope }: RequestContext,
  ): Promise<Out<typeof installPlugin>> {
    const { body } = await this.blobs.get(blobKey);
    const files = await unpackPlugin(await buffer(body));
    const row = await this.dataSource.transaction((manager) =>
      this.installer.install(manager, scope, files, source),
    );
    return summarize(row, this.repository.openArgs(row));
  }

  @Handle(confirmPlugin)
  async confirm(
    { hubId, hash, permissions }: In<typeof confirmPlugin>,
    { scope }: RequestContext,
  ): Promise<PluginDetail> {
    const row = await this.dataSource.transaction(async (manager) => {
      const found = await this.repository.find(hubId, manager);
      if (found.hash !== hash) throw new CarrelError("plugin.changed");
      const unknown = permissions.secrets.find(
        (name) => !Object.hasOwn(found.manifest.setup_args, name),
      );
      if (unknown !== undefined)
        throw new CarrelError("plugin.permission-unknown", { name: unknown });
      await this.repository.confirm(manager, found, permissions, scope.principal.userId);
      await this.eventLog.record(manager, scope, "plugin_confirmed", {
        hubId,
        version: found.manifest.version,
        hash,
        ...permissions,
      });
      return this.repository.find(hubId, manager);
    });
    return this.describe(row);
  }

  @Handle(setPluginArguments)
  async setArguments(
    input: In<typeof setPluginArguments>,
    { scope }: RequestContext,
  ): Promise<PluginDetail> {
    const row = await this.dataSource.transaction((manager) =>
      this.configure(manager, input, scope, "access.proof-due"),
    );
    return this.describe(row);
  }

  @Handle(configureLegacyPlugin)
  async configureLegacy(
    { active, ...input }: In<typeof configureLegacyPlugin>,
    { scope }: RequestContext,
  ): Promise<Out<typeof configureLegacyPlugin>> {
    const row = await this.dataSource.transaction(async (manager) => {
      const found = await this.configure(manager, input, scope, "plugin.proof-due");
      return active === undefined ? found : this.setActive(manager, found, active, scope);
    });
    return describeLegacy(row, this.repository.openArgs(row));
  }

  @Handle(togglePlugin)
  async toggle(
    { hubId, active }: In<typeof togglePlugin>,
    { scope }: RequestContext,
  ): Promise<Out<typeof togglePlugin>> {
    const row = await this.dataSource.transaction(async (manager) =>
      this.setActive(manager, await this.repository.find(hubId, manager), active, scope),
    );
    return describeLegacy(row, this.repository.openArgs(row));
  }

  @Handle(deletePlugin)
  async delete(
    { hubId }: In<typeof deletePlugin>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deletePlugin>> {
    if ((await this.repository.findIfAny(hubId)) !== null) {
      const service = { principal: servicePrincipal, workspace: null };
      await this.dataSource.transaction(async (manager) => {
        await this.repository.setActive(manager, hubId, false);
      });
      // Nobody may use it without its rule, and nobody may have its name before the rule is gone.
      await this.requests.request(
        forgetSkillRule,
        { skill: pluginSkill(hubId) },
        { scope: service },
      );
      await this.dataSource.transaction(async (manager) => {
        await this.repository.delete(manager, hubId);
        await this.eventLog.record(manager, scope, "plugin_deleted", { hubId });
      });
    }
    await this.folders.remove(hubId);
    return true;
  }

  /** @param unproven the refusal if the session must prove who uses it */
  private async configure(
    manager: EntityManager,
    { hubId, values }: In<typeof setPluginArguments>,
    scope: Scope,
    unproven: "access.proof-due" | "plugin.proof-due",
  ): Promise<PluginRow> {
    const found = await this.repository.find(hubId, manager);
    const { setup_args: args } = found.manifest;
    const stored = this.repository.openArgs(found);
    const changed = Object.entries(values).filter(
      ([name, value]) =>
        Object.hasOwn(args, name) &&
        !(value !== "" && isSecretMask(value)) &&
        value !== (stored.get(name) ?? "") &&
        // Existing clients send the default back.
        !(!stored.has(name) && value === args[name]!.input.default),
    );
    if (changed.length === 0) return found;
    // Whoever has a stolen session could have the plugin send to an account of theirs.
    if (!isRecentlyProven(scope.principal)) throw new CarrelError(unproven);
    await this.repository.setArgs(manager, found, Object.fromEntries(changed));
    await this.eventLog.record(manager, scope, "plugin_configured", {
      hubId,
      arguments: changed.map(([name]) => name),
    });
    return this.repository.find(hubId, manager);
  }

  private async setActive(
    manager: EntityManager,
    row: PluginRow,
    active: boolean,
    scope: Scope,
  ): Promise<PluginRow> {
    const { hubId } = row;
    if (active && !isConfirmed(row)) throw new CarrelError("plugin.not-confirmed");
    if (row.active === active) return row;
    await this.repository.setActive(manager, hubId, active);
    await this.eventLog.record(manager, scope, "plugin_toggled", { hubId, active });
    return { ...row, active };
  }

  private async describe(row: PluginRow): Promise<PluginDetail> {
    const files = await this.repository.loadFiles(row.hubId);
    return describePlugin(row, this.repository.openArgs(row), files);
  }
}
