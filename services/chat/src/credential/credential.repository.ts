import {
  CarrelError,
  credentialReference,
  type CredentialOwner,
  type CredentialWire,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

const mostCredentials = 500;
/** Of a value whose end is shown, so that most of it stays unknown. */
const shortestShown = 16;
const shownCharacters = 4;

export interface CredentialRow {
  id: string;
  name: string;
  owner: CredentialOwner;
  hosts: string[];
  /** Null if it can't be decrypted. */
  value: string | null;
}

interface Stored {
  id: string;
  name: string;
  owner_kind: CredentialOwner["kind"];
  owner_id: string;
  hosts: string[];
  sealed_value: string;
  updated_by: number | null;
  updated_at: Date;
  last_used_at: Date | null;
}

const columns =
  "id, name, owner_kind, owner_id, hosts, sealed_value, updated_by, updated_at, last_used_at";

const ownerIdOf = (owner: CredentialOwner): string => (owner.kind === "instance" ? "" : owner.id);

@Injectable()
export class CredentialRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** By name, without values. */
  async list(): Promise<CredentialWire[]> {
    const rows = await queryRows<Stored>(
      this.dataSource,
      `SELECT ${columns} FROM chat.credential ORDER BY lower(name), name, owner_kind, owner_id`,
    );
    const flows = await this.listFlows();
    return rows.map((row) => {
      const { id, name, owner, hosts, value } = this.read(row);
      const isOwn = (flowId: string): boolean =>
        rows.some((own) => own.name === name && own.owner_id === flowId);
      const isUser = (flow: { id: string; names: string[] }): boolean =>
        flow.names.includes(name) &&
        (owner.kind === "flow" ? owner.id === flow.id : !isOwn(flow.id));
      return {
        id,
        name,
        owner,
        hosts,
        lastCharacters:
          value !== null && value.length >= shortestShown ? value.slice(-shownCharacters) : null,
        flows:
          owner.kind === "plugin"
            ? []
            : flows.filter(isUser).map((flow) => ({ id: flow.id, name: flow.name })),
        isReadable: value !== null,
        updatedBy: row.updated_by,
        updatedAt: row.updated_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      };
    });
  }

  /** Locks it. Throws `credential.not-found`. */
  async find(manager: EntityManager, id: string): Promise<CredentialRow> {
    const [row] = await queryRows<Stored>(
      manager,
      `SELECT ${columns} FROM chat.credential WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (row === undefined) throw new CarrelError("credential.not-found");
    return this.read(row);
  }

  /** Throws `credential.owner-not-found`, `credential.name-taken` and `credential.too-many`. */
  async add(
    manager: EntityManager,
    { id, name, owner, hosts, value }: CredentialRow & { value: string },
    userId: number | null,
  ): Promise<void> {
    // Locked, so that a flow which is just being deleted doesn't leave it behind.
    if (owner.kind === "flow") {
      const flows = await queryRows(
        manager,
        "SELECT 1 FROM chat.flow WHERE id = $1 FOR KEY SHARE",
        [owner.id],
      );
      if (flows.length === 0) throw new CarrelError("credential.owner-not-found");
    }
    const [{ count }] = (await queryRows<{ count: number }>(
      manager,
      "SELECT count(*)::int AS count FROM chat.credential",
    )) as [{ count: number }];
    if (count >= mostCredentials)
      throw new CarrelError("credential.too-many", { limit: mostCredentials });
    const added = await queryRows(
      manager,
      `INSERT INTO chat.credential
        (id, name, owner_kind, owner_id, hosts, sealed_value, updated_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (owner_kind, owner_id, name) DO NOTHING RETURNING id`,
      [id, name, owner.kind, ownerIdOf(owner), hosts, this.box.seal(value), userId],
    );
    if (added.length === 0) throw new CarrelError("credential.name-taken", { name });
  }

  async update(
    manager: EntityManager,
    id: string,
    { hosts, value }: Partial<Pick<CredentialRow, "hosts"> & { value: string }>,
    userId: number | null,
  ): Promise<void> {
    await manager.query(
      `UPDATE chat.credential SET hosts = coalesce($2, hosts),
        sealed_value = coalesce($3, sealed_value), updated_by = $4, updated_at = now()
      WHERE id = $1`,
      [id, hosts ?? null, value === undefined ? null : this.box.seal(value), userId],
    );
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.query("DELETE FROM chat.credential WHERE id = $1", [id]);
  }

  /** In the transaction that deletes the owner. */
  async deleteOf(manager: EntityManager, owner: CredentialOwner): Promise<void> {
    await manager.query("DELETE FROM chat.credential WHERE owner_kind = $1 AND owner_id = $2", [
      owner.kind,
      ownerIdOf(owner),
    ]);
  }

  /**
   * With their values, which must never be shown or logged, by name: the owner's, and the
   * instance's of other names.
   */
  async open(
    owner: CredentialOwner,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialRow>> {
    if (names.length === 0) return new Map();
    const rows = await queryRows<Stored>(
      this.dataSource,
      `SELECT DISTINCT ON (name) ${columns} FROM chat.credential
      WHERE name = ANY($1) AND (owner_kind = 'instance' OR (owner_kind = $2 AND owner_id = $3))
      ORDER BY name, owner_kind = 'instance'`,
      [names, owner.kind, ownerIdOf(owner)],
    );
    return new Map(rows.map((row) => [row.name, this.read(row)]));
  }

  /** To the minute, so that flows in a loop don't write each time. */
  async noteUse(ids: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.credential SET last_used_at = date_trunc('minute', now())
      WHERE id = ANY($1::uuid[]) AND last_used_at IS DISTINCT FROM date_trunc('minute', now())`,
      [ids],
    );
  }

  /** The flows that refer to credentials, with the names of these. */
  private listFlows(): Promise<{ id: string; name: string; names: string[] }[]> {
    return queryRows(
      this.dataSource,
      `SELECT f.id, f.name, array_agg(DISTINCT m.found[1]) AS names
      FROM chat.flow f, regexp_matches(f.steps::text, $1, 'g') AS m (found)
      GROUP BY f.id ORDER BY lower(f.name), f.id`,
      [credentialReference.source],
    );
  }

  private read(row: Stored): CredentialRow {
    const { id, name, owner_kind: kind, owner_id: ownerId, hosts } = row;
    const owner: CredentialOwner = kind === "instance" ? { kind } : { kind, id: ownerId };
    return { id, name, owner, hosts, value: this.openValue(row.sealed_value) };
  }

  private openValue(sealed: string): string | null {
    try {
      return this.box.open(sealed);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
