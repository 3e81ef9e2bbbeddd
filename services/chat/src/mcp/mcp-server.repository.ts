import {
  CarrelError,
  mcpServerConfig,
  type McpServerConfig,
  type Principal,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import type { ListedTool, SignInRecord } from "@carrel/mcp";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** A tool as an admin approved it. */
export interface ApprovedTool {
  hash: string;
  description: string;
}

export interface McpServerRow {
  id: number;
  name: string;
  /** Null: the instance's. */
  ownerId: number | null;
  /** Null if it can't be decrypted. */
  config: McpServerConfig | null;
  enabled: boolean;
  autoStart: boolean;
  suppressed: string[];
  /** Null: not listed yet. */
  approved: Record<string, ApprovedTool> | null;
  isSignedIn: boolean;
  version: number;
}

/** A sign-in whose browser hasn't returned yet. */
export interface PendingSignIn {
  state: string;
  expiresAt: number;
  record: SignInRecord;
}

const columns = `id, name, owner_id, sealed_config, sealed_sign_in IS NOT NULL AS is_signed_in, enabled,
  auto_start, suppressed, approved, version`;

interface Stored {
  id: number;
  name: string;
  owner_id: number | null;
  sealed_config: string;
  is_signed_in: boolean;
  enabled: boolean;
  auto_start: boolean;
  suppressed: string[];
  approved: Record<string, ApprovedTool> | null;
  version: number;
}

const toApproved = (tools: readonly ListedTool[]): Record<string, ApprovedTool> =>
  Object.fromEntries(tools.map(({ name, hash, description }) => [name, { hash, description }]));

/** Whatever people allowed for good was another server of this name, or at another place. */
async function forgetPermissions(manager: EntityManager, id: number): Promise<void> {
  await manager.query(
    `DELETE FROM chat.skill_permission
    WHERE skill = (SELECT 'mcp:' || name FROM chat.mcp_server WHERE id = $1)`,
    [id],
  );
}

@Injectable()
export class McpServerRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** Oldest first: the instance's, and the principal's own. */
  async list(principal: Pick<Principal, "userId"> | null): Promise<McpServerRow[]> {
    const rows = await queryRows<Stored>(
      this.dataSource,
      `SELECT ${columns} FROM chat.mcp_server
      WHERE $2 OR owner_id IS NULL OR owner_id = $1::int ORDER BY id`,
      [principal?.userId ?? null, principal === null],
    );
    return rows.map((row) => this.read(row));
  }

  /** Throws `mcp.not-found`, also for another person's. */
  async find(principal: Pick<Principal, "userId">, key: number | string): Promise<McpServerRow> {
    const [row] = await queryRows<Stored>(
      this.dataSource,
      `SELECT ${columns} FROM chat.mcp_server
      WHERE ${typeof key === "number" ? "id = $2" : "lower(name) = lower($2)"}
        AND (owner_id IS NULL OR owner_id = $1::int)`,
      [principal.userId, key],
    );
    if (row === undefined) throw new CarrelError("mcp.not-found");
    return this.read(row);
  }

  /** Throws `mcp.name-taken` and `mcp.too-many`. */
  async add(
    manager: EntityManager,
    server: Pick<McpServerRow, "name" | "ownerId" | "enabled" | "autoStart" | "suppressed"> & {
      config: McpServerConfig;
    },
    limit: number,
  ): Promise<number> {
    const [{ count }] = (await queryRows<{ count: number }>(
      manager,
      "SELECT count(*)::int AS count FROM chat.mcp_server",
    )) as [{ count: number }];
    if (count >= limit) throw new CarrelError("mcp.too-many", { limit });
    const [row] = await queryRows<{ id: number }>(
      manager,
      `INSERT INTO chat.mcp_server (name, owner_id, sealed_config, enabled, auto_start, suppressed)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [
        server.name,
        server.ownerId,
        this.box.seal(JSON.stringify(server.config)),
        server.enabled,
        server.autoStart,
        JSON.stringify(server.suppressed),
      ],
    );
    if (row === undefined) throw new CarrelError("mcp.name-taken", { name: server.name });
    await forgetPermissions(manager, row.id);
    return row.id;
  }

  /**
   * @param isOther whether it is reached otherwise: its tools are new, and its sign-in and people's
   *   permissions are forgotten
   */
  async update(
    manager: EntityManager,
    id: number,
    server: { config: McpServerConfig; enabled: boolean; autoStart: boolean },
    isOther: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE chat.mcp_server
      SET sealed_config = $2, enabled = $3, auto_start = $4, version = version + 1,
        approved = CASE WHEN $5 THEN NULL ELSE approved END,
        sealed_sign_in = CASE WHEN $5 THEN NULL ELSE sealed_sign_in END,
        sealed_pending = NULL
      WHERE id = $1`,
      [id, this.box.seal(JSON.stringify(server.config)), server.enabled, server.autoStart, isOther],
    );
    if (isOther) await forgetPermissions(manager, id);
  }

  async setEnabled(manager: EntityManager, id: number, enabled: boolean): Promise<void> {
    await manager.query(
      "UPDATE chat.mcp_server SET enabled = $2, version = version + 1 WHERE id = $1",
      [id, enabled],
    );
  }

  async delete(manager: EntityManager, id: number): Promise<void> {
    await forgetPermissions(manager, id);
    await manager.query("DELETE FROM chat.mcp_server WHERE id = $1", [id]);
  }

  async listOfUser(userId: number): Promise<Pick<McpServerRow, "id" | "name">[]> {
    return queryRows(this.dataSource, "SELECT id, name FROM chat.mcp_server WHERE owner_id = $1", [
      userId,
    ]);
  }

  /** Returns the names of all tools that are switched off. */
  async suppress(
    manager: EntityManager,
    id: number,
    tool: string,
    isSuppressed: boolean,
  ): Promise<string[]> {
    const [row] = await queryRows<{ suppressed: string[] }>(
      manager,
      `UPDATE chat.mcp_server
      SET suppressed = CASE WHEN $3 THEN (suppressed - $2) || to_jsonb($2::text) ELSE suppressed - $2 END
      WHERE id = $1 RETURNING suppressed`,
      [id, tool, isSuppressed],
    );
    return row?.suppressed ?? [];
  }

  async approve(manager: EntityManager, id: number, tools: readonly ListedTool[]): Promise<void> {
    await manager.query(
      "UPDATE chat.mcp_server SET approved = coalesce(approved, '{}') || $2::jsonb WHERE id = $1",
      [id, JSON.stringify(toApproved(tools))],
    );
  }

  /** Whoever adds a server trusts the tools that it lists first. */
  async approveFirst(id: number, version: number, tools: readonly ListedTool[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.mcp_server SET approved = $3::jsonb
      WHERE id = $1 AND version = $2 AND approved IS NULL`,
      [id, version, JSON.stringify(toApproved(tools))],
    );
  }

  async readSignIn(id: number): Promise<SignInRecord | null> {
    const [row] = await queryRows<{ sealed: string | null }>(
      this.dataSource,
      "SELECT sealed_sign_in AS sealed FROM chat.mcp_server WHERE id = $1",
      [id],
    );
    return this.openJson<SignInRecord>(row?.sealed ?? null);
  }

  /** Only one process at a time; a record of null is kept as it was. */
  async updateSignIn(
    id: number,
    work: (record: SignInRecord) => Promise<SignInRecord | null>,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<{ sealed: string | null }>(
        manager,
        "SELECT sealed_sign_in AS sealed FROM chat.mcp_server WHERE id = $1 FOR UPDATE",
        [id],
      );
      if (row === undefined) return;
      const record = await work(this.openJson<SignInRecord>(row.sealed) ?? {});
      if (record !== null) await this.saveSignIn(manager, id, record);
    });
  }

  async keepPending(id: number, pending: PendingSignIn): Promise<void> {
    await this.dataSource.query("UPDATE chat.mcp_server SET sealed_pending = $2 WHERE id = $1", [
      id,
      this.box.seal(JSON.stringify(pending)),
    ]);
  }

  /** Each is used once. */
  async takePending(id: number): Promise<PendingSignIn | null> {
    const [row] = await queryRows<{ sealed: string | null }>(
      this.dataSource,
      `UPDATE chat.mcp_server AS new SET sealed_pending = NULL FROM chat.mcp_server AS old
      WHERE new.id = $1 AND old.id = new.id RETURNING old.sealed_pending AS sealed`,
      [id],
    );
    return this.openJson<PendingSignIn>(row?.sealed ?? null);
  }

  /**
   * Throws `mcp.sign-in-outdated` if the server has changed since `row` was read: tokens for one
   * address must never be sent to another.
   */
  async completeSignIn(
    manager: EntityManager,
    { id, name, version }: Pick<McpServerRow, "id" | "name" | "version">,
    record: SignInRecord,
  ): Promise<void> {
    const updated = await queryRows(
      manager,
      `UPDATE chat.mcp_server SET sealed_sign_in = $3, version = version + 1
      WHERE id = $1 AND version = $2 RETURNING id`,
      [id, version, this.box.seal(JSON.stringify(record))],
    );
    if (updated.length === 0) throw new CarrelError("mcp.sign-in-outdated", { server: name });
  }

  private async saveSignIn(
    manager: EntityManager,
    id: number,
    record: SignInRecord,
  ): Promise<void> {
    await manager.query("UPDATE chat.mcp_server SET sealed_sign_in = $2 WHERE id = $1", [
      id,
      this.box.seal(JSON.stringify(record)),
    ]);
  }

  private read(row: Stored): McpServerRow {
    const config = mcpServerConfig.safeParse(this.openJson(row.sealed_config));
    return {
      id: row.id,
      name: row.name,
      ownerId: row.owner_id,
      config: config.success ? config.data : null,
      enabled: row.enabled,
      autoStart: row.auto_start,
      suppressed: row.suppressed,
      approved: row.approved,
      isSignedIn: row.is_signed_in,
      version: row.version,
    };
  }

  private openJson<T>(sealed: string | null): T | null {
    if (sealed === null) return null;
    try {
      return JSON.parse(this.box.open(sealed)) as T;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
