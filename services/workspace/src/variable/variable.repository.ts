import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, QueryFailedError, type EntityManager } from "typeorm";
import { Variable } from "./variable.entity.ts";

export interface VariableFields {
  key: string;
  value: string;
  description: string | null;
}

/** Limits all variables together, because they are sent in one reply with every question. */
const maxBytes = 250_000;

function requireAdmin({ principal }: Scope): void {
  if (principal.kind === "public" || principal.role !== "admin")
    throw new CarrelError("access.forbidden");
}

@Injectable()
export class VariableRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Needs no permission, because anyone's prompt may use them. */
  async list(_scope: Scope): Promise<Variable[]> {
    return this.dataSource.manager.find(Variable, { order: { id: "ASC" } });
  }

  /** Throws BAD_INPUT if the key is taken. */
  async create(scope: Scope, manager: EntityManager, fields: VariableFields): Promise<Variable> {
    requireAdmin(scope);
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(Variable)
      .values({ ...fields, userId: scope.principal.userId })
      .orIgnore()
      .returning("id")
      .execute();
    const row = (inserted.raw as { id: number }[])[0];
    if (row === undefined) throw taken(fields.key);
    await requireRoom(manager);
    return manager.findOneByOrFail(Variable, { id: row.id });
  }

  /** Null if there is no such variable; throws BAD_INPUT if the key is taken. */
  async update(
    scope: Scope,
    manager: EntityManager,
    id: number,
    fields: VariableFields,
  ): Promise<Variable | null> {
    requireAdmin(scope);
    try {
      const { affected } = await manager
        .createQueryBuilder()
        .update(Variable)
        .set({ ...fields })
        .where("id = :id", { id })
        .execute();
      if (affected === 0) return null;
    } catch (error) {
      if (
        error instanceof QueryFailedError &&
        (error.driverError as { code?: string }).code === "23505"
      )
        throw taken(fields.key, error);
      throw error;
    }
    await requireRoom(manager);
    return manager.findOneByOrFail(Variable, { id });
  }

  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    requireAdmin(scope);
    return (await manager.delete(Variable, { id })).affected === 1;
  }
}

const taken = (key: string, cause?: unknown): CarrelError =>
  new CarrelError("variable.key-taken", { key }, { cause });

async function requireRoom(manager: EntityManager): Promise<void> {
  const [sum] = await manager.query<{ bytes: number }[]>(
    `SELECT coalesce(
      sum(octet_length(key) + octet_length(value) + octet_length(coalesce(description, '')) + 150),
      0
    )::int AS bytes
    FROM workspace.variable`,
  );
  if (sum!.bytes > maxBytes) throw new CarrelError("variable.all-too-long");
}
