import {
  CarrelError,
  isSecretMask,
  pluginLimits,
  pluginManifest,
  pluginPermissions,
  type pluginSources,
  type PluginManifest,
  type PluginPermissions,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import type { ReadPlugin } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

export type PluginSource = (typeof pluginSources)[number];

export interface PluginRow {
  hubId: string;
  manifest: PluginManifest;
  hash: string;
  bytes: number;
  source: PluginSource;
  active: boolean;
  /** What was confirmed, perhaps for another content. */
  permissions: PluginPermissions | null;
  confirmedHash: string | null;
  confirmedBy: number | null;
  confirmedAt: Date | null;
  /** Sealed, by name. */
  sealedArgs: Readonly<Record<string, string>>;
  updatedAt: Date;
}

/** The contents of a plugin that aren't adopted from folders again, and its present one. */
export interface KnownContents {
  hashes: string[];
  /** Null if there is no such plugin. */
  current: string | null;
  source: PluginSource | null;
}

export const isConfirmed = ({ hash, confirmedHash }: PluginRow): boolean => hash === confirmedHash;

const mostPlugins = 200;
const names = new Intl.Collator("en", { sensitivity: "accent" });
const columns = `hub_id AS "hubId", manifest, content_hash AS hash, bytes, source, active,
  permissions, confirmed_hash AS "confirmedHash", confirmed_by AS "confirmedBy",
  confirmed_at AS "confirmedAt", sealed_args AS "sealedArgs", updated_at AS "updatedAt"`;

const read = (row: PluginRow): PluginRow => ({
  ...row,
  manifest: pluginManifest.parse(row.manifest),
  permissions: row.permissions === null ? null : pluginPermissions.parse(row.permissions),
});

@Injectable()
export class PluginRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** By name. */
  async list(): Promise<PluginRow[]> {
    const rows = await queryRows<PluginRow>(
      this.dataSource,
      `SELECT ${columns} FROM chat.plugin ORDER BY hub_id`,
    );
    // Not in SQL: a single manifest that it can't read would fail the whole list.
    return rows.map(read).toSorted((a, b) => names.compare(a.manifest.name, b.manifest.name));
  }

  /** Those that agents may call, oldest first. */
  async listActive(): Promise<PluginRow[]> {
    const rows = await queryRows<PluginRow>(
      this.dataSource,
      `SELECT ${columns} FROM chat.plugin WHERE active AND confirmed_hash = content_hash
      ORDER BY created_at, hub_id`,
    );
    return rows.map(read);
  }

  /** Locks it within a transaction. Throws `plugin.not-found`. */
  async find(hubId: string, manager?: EntityManager): Promise<PluginRow> {
    const row = await this.findIfAny(hubId, manager);
    if (row === null) throw new CarrelError("plugin.not-found");
    return row;
  }

  async findIfAny(hubId: string, manager?: EntityManager): Promise<PluginRow | null> {
    const [row] = await queryRows<PluginRow>(
      manager ?? this.dataSource,
      `SELECT ${columns} FROM chat.plugin WHERE hub_id = $1
      ${manager === undefined ? "" : "FOR UPDATE"}`,
      [hubId],
    );
    return row === undefined ? null : read(row);
  }

  /**
   * Stores a plugin, or its new content, which nobody has confirmed: switched off. Values of
   * arguments are kept, and added where there are none. Throws CarrelError.
   */
  async put(
    manager: EntityManager,
    { manifest, files, hash, bytes, values }: ReadPlugin,
    source: PluginSource,
  ): Promise<void> {
    const { hubId } = manifest;
    const rows = await queryRows<{ hub_id: string; content_hash: string }>(
      manager,
      "SELECT hub_id, content_hash FROM chat.plugin",
    );
    const before = rows.find((each) => each.hub_id === hubId);
    const others = rows.filter((each) => each !== before);
    if (others.length >= mostPlugins)
      throw new CarrelError("plugin.too-many", { limit: mostPlugins });
    if (others.some((each) => each.hub_id.toLowerCase() === hubId.toLowerCase()))
      throw new CarrelError("plugin.name-taken", { name: hubId });
    if (before !== undefined && before.content_hash !== hash) await forgetApprovals(manager, hubId);
    await manager.query(
      `INSERT INTO chat.plugin AS p (hub_id, manifest, content_hash, bytes, source, sealed_args)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (hub_id) DO UPDATE SET manifest = excluded.manifest,
        content_hash = excluded.content_hash, bytes = excluded.bytes, source = excluded.source,
        active = p.active AND p.confirmed_hash IS NOT DISTINCT FROM excluded.content_hash,
        sealed_args = excluded.sealed_args || p.sealed_args, updated_at = now()`,
      [hubId, JSON.stringify(manifest), hash, bytes, source, JSON.stringify(this.seal(values))],
    );
    await manager.query("DELETE FROM chat.plugin_file WHERE hub_id = $1", [hubId]);
    await manager.query(
      `INSERT INTO chat.plugin_file (hub_id, path, content)
      SELECT $1, * FROM unnest($2::text[], $3::bytea[])`,
      [hubId, [...files.keys()], [...files.values()].map((each) => Buffer.from(each))],
    );
  }

  /** A row that the transaction has locked. */
  async confirm(
    manager: EntityManager,
    { hubId, hash }: Pick<PluginRow, "hubId" | "hash">,
    permissions: PluginPermissions,
    confirmedBy: number | null,
  ): Promise<void> {
    await manager.query(
      `UPDATE chat.plugin SET permissions = $2, confirmed_hash = $3, confirmed_by = $4,
        confirmed_at = now()
      WHERE hub_id = $1`,
      [hubId, JSON.stringify(permissions), hash, confirmedBy],
    );
  }

  async setActive(manager: EntityManager, hubId: string, active: boolean): Promise<void> {
    await manager.query("UPDATE chat.plugin SET active = $2 WHERE hub_id = $1", [hubId, active]);
  }

  /**
   * Sets arguments of a row that the transaction has locked; an empty value removes one. Throws
   * CarrelError.
   */
  async setArgs(
    manager: EntityManager,
    { hubId, sealedArgs }: PluginRow,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (const [name, value] of Object.entries(values))
      if (value.length > pluginLimits.argument)
        throw new CarrelError("plugin.argument-too-long", { name, limit: pluginLimits.argument });
    const kept = { ...sealedArgs, ...this.seal(values) };
    for (const [name, value] of Object.entries(values)) if (value === "") delete kept[name];
    await manager.query("UPDATE chat.plugin SET sealed_args = $2 WHERE hub_id = $1", [
      hubId,
      JSON.stringify(kept),
    ]);
  }

  /** The values of arguments; null for one that can't be decrypted. */
  openArgs({ sealedArgs }: Pick<PluginRow, "sealedArgs">): ReadonlyMap<string, string | null> {
    return new Map(
      Object.entries(sealedArgs).map(([name, sealed]) => {
        try {
          return [name, this.box.open(sealed)];
        } catch (error) {
          if (!(error instanceof SecretUnreadableError)) throw error;
          return [name, null];
        }
      }),
    );
  }

  async delete(manager: EntityManager, hubId: string): Promise<void> {
    // Other replicas may still have its folder.
    await manager.query(
      `INSERT INTO chat.plugin_folder (hub_id, content_hash)
      SELECT hub_id, content_hash FROM chat.plugin WHERE hub_id = $1
      ON CONFLICT DO NOTHING`,
      [hubId],
    );
    await manager.query("DELETE FROM chat.plugin WHERE hub_id = $1", [hubId]);
    await forgetApprovals(manager, hubId);
  }

  async listFiles(hubId: string): Promise<{ path: string; bytes: number }[]> {
    return queryRows(
      this.dataSource,
      `SELECT path, length(content) AS bytes FROM chat.plugin_file WHERE hub_id = $1
      ORDER BY path LIKE '%node_modules/%', path COLLATE "C"`,
      [hubId],
    );
  }

  async readFile(hubId: string, path: string): Promise<Buffer | null> {
    const [row] = await queryRows<{ content: Buffer }>(
      this.dataSource,
      "SELECT content FROM chat.plugin_file WHERE hub_id = $1 AND path = $2",
      [hubId, path],
    );
    return row?.content ?? null;
  }

  async loadFiles(hubId: string): Promise<Map<string, Uint8Array>> {
    const rows = await queryRows<{ path: string; content: Buffer }>(
      this.dataSource,
      "SELECT path, content FROM chat.plugin_file WHERE hub_id = $1",
      [hubId],
    );
    return new Map(rows.map(({ path, content }) => [path, Uint8Array.from(content)]));
  }

  /** By plugin. */
  async listKnown(): Promise<ReadonlyMap<string, KnownContents>> {
    const rows = await queryRows<KnownContents & { hubId: string }>(
      this.dataSource,
      `SELECT f.hub_id AS "hubId", array_agg(f.content_hash) AS hashes, p.content_hash AS current,
        p.source
      FROM chat.plugin_folder f LEFT JOIN chat.plugin p USING (hub_id)
      GROUP BY f.hub_id, p.content_hash, p.source`,
    );
    return new Map(rows.map(({ hubId, ...contents }) => [hubId, contents]));
  }

  /** Whether this transaction is the first to adopt this content. */
  async noteAdopted(manager: EntityManager, hubId: string, hash: string): Promise<boolean> {
    const rows = await queryRows(
      manager,
      `INSERT INTO chat.plugin_folder (hub_id, content_hash) VALUES ($1, $2)
      ON CONFLICT DO NOTHING
      RETURNING hub_id`,
      [hubId, hash],
    );
    return rows.length > 0;
  }

  /** Without masks, which stand for what is stored. */
  private seal(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== "" && !isSecretMask(value))
        .map(([name, value]) => [name, this.box.seal(value)]),
    );
  }
}

/** People allowed the calls of a plugin with another content, which decides nothing for this one. */
async function forgetApprovals(manager: EntityManager, hubId: string): Promise<void> {
  await manager.query("DELETE FROM chat.skill_permission WHERE skill IN ($1, '@@' || $1)", [hubId]);
  await manager.query(
    `UPDATE chat.schedule SET approvals = (
      SELECT coalesce(jsonb_agg(each ORDER BY place), '[]')
      FROM jsonb_array_elements(approvals) WITH ORDINALITY AS list (each, place)
      WHERE each ->> 'tool' <> $1)
    WHERE approvals @> jsonb_build_array(jsonb_build_object('tool', $1::text))`,
    [hubId],
  );
}
