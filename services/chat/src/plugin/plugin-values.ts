import type { PluginStorage } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Bytes of all keys and values of a plugin. */
const mostBytes = 1_000_000;
const mostKeys = 10_000;

/** What plugins keep between calls. */
@Injectable()
export class PluginValues {
  constructor(private readonly dataSource: DataSource) {}

  storageOf(hubId: string): PluginStorage {
    return {
      get: async (key) => {
        const [row] = await queryRows<{ value: string }>(
          this.dataSource,
          "SELECT value FROM chat.plugin_value WHERE hub_id = $1 AND key = $2",
          [hubId, clean(key)],
        );
        return row?.value ?? null;
      },
      set: (key, value) => this.set(hubId, clean(key), clean(value)),
      delete: async (key) => {
        await this.dataSource.query(
          "DELETE FROM chat.plugin_value WHERE hub_id = $1 AND key = $2",
          [hubId, clean(key)],
        );
      },
      keys: async () => {
        const rows = await queryRows<{ key: string }>(
          this.dataSource,
          'SELECT key FROM chat.plugin_value WHERE hub_id = $1 ORDER BY key COLLATE "C"',
          [hubId],
        );
        return rows.map(({ key }) => key);
      },
    };
  }

  private async set(hubId: string, key: string, value: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Calls at the same time must not get past the limit together.
      const [plugin] = await queryRows(
        manager,
        "SELECT 1 FROM chat.plugin WHERE hub_id = $1 FOR UPDATE",
        [hubId],
      );
      if (plugin === undefined) throw new Error("This plugin was deleted.");
      const [used] = await queryRows<{ bytes: string; keys: string }>(
        manager,
        `SELECT coalesce(sum(octet_length(key) + octet_length(value)), 0) AS bytes,
          count(*) AS keys
        FROM chat.plugin_value WHERE hub_id = $1 AND key <> $2`,
        [hubId, key],
      );
      const bytes = Number(used!.bytes) + Buffer.byteLength(key) + Buffer.byteLength(value);
      if (bytes > mostBytes || Number(used!.keys) >= mostKeys)
        throw new Error(`A plugin can keep at most ${mostBytes / 1_000_000} MB.`);
      await manager.query(
        `INSERT INTO chat.plugin_value (hub_id, key, value) VALUES ($1, $2, $3)
        ON CONFLICT (hub_id, key) DO UPDATE SET value = excluded.value`,
        [hubId, key, value],
      );
    });
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates; JSON has both as escapes only. */
function clean(text: string): string {
  if (text.includes("\0") || !text.isWellFormed())
    throw new Error("A key or value has a character that can't be kept.");
  return text;
}
