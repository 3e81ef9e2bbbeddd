import type { Scope } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { createSigningKey, signText, type PublicKey } from "../event-chain/signing.ts";
import { EventLog } from "./event.repository.ts";

interface KeyRow {
  fingerprint: string;
  public_key: string;
  sealed_private_key: string;
}

/** The keys that sign anchors, checkpoints and exports; private ones are sealed. */
@Injectable()
export class SigningKeys {
  constructor(
    private readonly box: SecretBox,
    private readonly log: EventLog,
  ) {}

  /** The oldest first. */
  async list(_scope: Scope, manager: EntityManager): Promise<PublicKey[]> {
    const rows = await manager.query<KeyRow[]>(
      `SELECT fingerprint, public_key FROM workspace.event_key ORDER BY created_at, fingerprint`,
    );
    return rows.map(({ fingerprint, public_key: publicKey }) => ({ fingerprint, publicKey }));
  }

  /**
   * Signs with the newest key; creates one if there is none, or if the instance secret it was sealed
   * under is lost, which is an event. Needs a transaction.
   */
  async sign(
    scope: Scope,
    manager: EntityManager,
    text: string,
  ): Promise<{ key: string; signature: string }> {
    requireService(scope);
    const { fingerprint, privateKey } =
      (await this.find(manager)) ?? (await this.create(scope, manager));
    return { key: fingerprint, signature: signText(privateKey, text) };
  }

  private async find(
    manager: EntityManager,
  ): Promise<{ fingerprint: string; privateKey: string } | null> {
    const [row] = await manager.query<KeyRow[]>(
      `SELECT * FROM workspace.event_key ORDER BY created_at DESC, fingerprint DESC LIMIT 1`,
    );
    if (row === undefined) return null;
    try {
      return {
        fingerprint: row.fingerprint,
        privateKey: this.box.open(row.sealed_private_key),
      };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  private async create(
    scope: Scope,
    manager: EntityManager,
  ): Promise<{ fingerprint: string; privateKey: string }> {
    await manager.query(`LOCK TABLE workspace.event_key IN EXCLUSIVE MODE`);
    // Another replica may have been faster.
    const found = await this.find(manager);
    if (found !== null) return found;
    const previous = (await this.list(scope, manager)).at(-1);
    const { fingerprint, publicKey, privateKey } = createSigningKey();
    await manager.query(
      `INSERT INTO workspace.event_key (fingerprint, public_key, sealed_private_key)
      VALUES ($1, $2, $3)`,
      [fingerprint, publicKey, this.box.seal(privateKey)],
    );
    if (previous !== undefined)
      await this.log.record(manager, scope, "event_log_key_replaced", {
        fingerprint,
        previous: previous.fingerprint,
      });
    return { fingerprint, privateKey };
  }
}
