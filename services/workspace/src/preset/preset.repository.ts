import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, QueryFailedError, type EntityManager } from "typeorm";
import { requireService, rowIds } from "../access/workspace-rights.ts";
import { Preset } from "./preset.entity.ts";

export interface PresetFields {
  command: string;
  prompt: string;
  description: string;
}

/**
 * Limits an owner's commands together, because all of them are sent in one reply with every
 * question.
 */
const maxBytes = 250_000;
const owners: ReadonlySet<Scope["principal"]["kind"]> = new Set([
  "instance",
  "user",
  "key",
  "extension",
]);

/**
 * The owner of the caller's commands: null for the instance's session and API keys. Throws
 * FORBIDDEN if the caller can't own any.
 */
function ownerOf({ principal }: Scope): number | null {
  if (!owners.has(principal.kind)) throw new CarrelError("access.forbidden");
  return principal.userId;
}

@Injectable()
export class PresetRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The caller's commands, oldest first. */
  async list(scope: Scope): Promise<Preset[]> {
    return this.dataSource.manager.find(Preset, {
      where: { userId: ownerOf(scope) ?? IsNull() },
      order: { id: "ASC" },
    });
  }

  /**
   * Finds presets of all accounts with these commands: the oldest of each command, as far as they
   * fit into one reply.
   */
  async findAny(commands: readonly string[]): Promise<{ command: string; prompt: string }[]> {
    if (commands.length === 0) return [];
    const found = await this.dataSource.query<{ command: string; prompt: string }[]>(
      `SELECT DISTINCT ON (lower(command)) command, prompt
      FROM workspace.preset
      WHERE lower(command) = ANY($1::text[])
      ORDER BY lower(command), id`,
      [commands.map((command) => command.toLowerCase())],
    );
    let room = maxBytes;
    return found.filter(({ prompt }) => (room -= Buffer.byteLength(prompt)) >= 0);
  }

  /** Returns the new preset, or the existing one with the same command. */
  async create(scope: Scope, fields: PresetFields): Promise<Preset> {
    const userId = ownerOf(scope);
    await this.dataSource.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(Preset)
        .values({ userId, ...fields })
        .orIgnore()
        .returning("id")
        .execute();
      if ((inserted.raw as unknown[]).length > 0) await this.requireRoom(manager, userId);
    });
    return this.dataSource.manager.findOneByOrFail(Preset, {
      uid: userId ?? 0,
      command: fields.command,
    });
  }

  /** Null if the caller has no such preset; throws CONFLICT if the command is taken. */
  async update(scope: Scope, id: number, fields: PresetFields): Promise<Preset | null> {
    const uid = ownerOf(scope) ?? 0;
    try {
      return await this.dataSource.transaction(async (manager) => {
        const { affected } = await manager
          .createQueryBuilder()
          .update(Preset)
          .set({ ...fields, updatedAt: () => "now()" })
          .where("id = :id AND uid = :uid", { id, uid })
          .execute();
        if (affected === 0) return null;
        await this.requireRoom(manager, uid === 0 ? null : uid);
        return manager.findOneByOrFail(Preset, { id });
      });
    } catch (error) {
      if (
        error instanceof QueryFailedError &&
        (error.driverError as { code?: string }).code === "23505"
      )
        throw new CarrelError(
          "preset.command-taken",
          {},
          {
            cause: error,
          },
        );
      throw error;
    }
  }

  /** False if the caller has no such preset. */
  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    const uid = ownerOf(scope) ?? 0;
    return (await manager.delete(Preset, { id, uid })).affected === 1;
  }

  async removeUser(scope: Scope, manager: EntityManager, userId: number): Promise<void> {
    requireService(scope);
    for (const id of rowIds([userId])) await manager.delete(Preset, { userId: id });
  }

  private async requireRoom(manager: EntityManager, userId: number | null): Promise<void> {
    const [sum] = await manager.query<{ bytes: number }[]>(
      `SELECT coalesce(
        sum(octet_length(command) + octet_length(prompt) + octet_length(description) + 200), 0
      )::int AS bytes
      FROM workspace.preset
      WHERE uid = $1`,
      [userId ?? 0],
    );
    if (sum!.bytes > maxBytes) throw new CarrelError("preset.all-too-long");
  }
}
