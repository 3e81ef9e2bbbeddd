import { hubSource, type HubDownloads, type HubSource } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import type { ConnectorsConfig } from "../connectors.config.ts";

/** A key, and the only origin that it may be sent to. */
const sealedKey = z.object({ origin: z.string(), key: z.string() });
export type HubKey = z.output<typeof sealedKey>;

export interface HubSetting {
  source: HubSource;
  downloads: HubDownloads;
  key: HubKey | null;
  /** There is a key, but the instance's secret was replaced. */
  isKeyUnreadable: boolean;
}

interface Row {
  source: unknown;
  downloads: HubDownloads;
  sealedKey: string | null;
}

@Injectable()
export class HubSettingRepository {
  private readonly usualDownloads: HubDownloads;

  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    @Inject(CONFIG) config: ConnectorsConfig,
  ) {
    // As on servers that people come from: whatever it says, it allows what was verified.
    const given = config.COMMUNITY_HUB_BUNDLE_DOWNLOADS_ENABLED;
    this.usualDownloads = given === undefined ? "off" : given === "allow_all" ? "all" : "verified";
  }

  /** Locks it within a transaction. */
  async read(manager: EntityManager = this.dataSource.manager): Promise<HubSetting> {
    const lock = manager.queryRunner?.isTransactionActive ? "FOR UPDATE" : "";
    const [row] = await manager.query<Row[]>(
      `SELECT source, downloads, sealed_key AS "sealedKey" FROM connectors.hub_setting ${lock}`,
    );
    if (row === undefined)
      return {
        source: { kind: "off" },
        downloads: this.usualDownloads,
        key: null,
        isKeyUnreadable: false,
      };
    const source = hubSource.safeParse(row.source);
    return {
      // An upgrade may no longer know it.
      source: source.success ? source.data : { kind: "off" },
      downloads: row.downloads,
      ...this.openKey(row.sealedKey),
    };
  }

  /** Without `key`, the stored one stays as it is, whether it can be read or not. */
  async save(
    manager: EntityManager,
    { source, downloads, key }: Pick<HubSetting, "source" | "downloads"> & { key?: HubKey | null },
  ): Promise<void> {
    await manager.query(
      `INSERT INTO connectors.hub_setting AS h (source, downloads, sealed_key) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET source = $1, downloads = $2,
        sealed_key = CASE WHEN $4 THEN $3 ELSE h.sealed_key END`,
      [
        JSON.stringify(source),
        downloads,
        key == null ? null : this.box.seal(JSON.stringify(key)),
        key !== undefined,
      ],
    );
  }

  private openKey(sealed: string | null): Pick<HubSetting, "key" | "isKeyUnreadable"> {
    try {
      const key = sealed === null ? null : sealedKey.parse(JSON.parse(this.box.open(sealed)));
      return { key, isKeyUnreadable: false };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return { key: null, isKeyUnreadable: true };
    }
  }
}
