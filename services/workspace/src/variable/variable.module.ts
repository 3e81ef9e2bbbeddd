import {
  CarrelError,
  createVariable,
  deleteVariable,
  listVariables,
  updateVariable,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { findTexts } from "@carrel/texts";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, QueryFailedError, type EntityManager } from "typeorm";
import { cleanText } from "../preference/preference-reader.ts";
import { isBuiltIn, listBuiltIns } from "./built-in-variables.ts";
import { Variable } from "./variable.entity.ts";

interface VariableFields {
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

type VariableWire = Out<typeof listVariables>["variables"][number];
const mapVariable = ({ id, key, value, description, userId }: Variable): VariableWire => ({
  id,
  key,
  value,
  description,
  type: "static",
  userId,
});

@Controller()
class VariableHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly variables: VariableRepository,
  ) {}

  @Handle(listVariables)
  async list(
    _input: In<typeof listVariables>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listVariables>> {
    return {
      variables: [
        ...listBuiltIns(scope.principal.userId !== null, findTexts(scope.language)),
        ...(await this.variables.list(scope)).map(mapVariable),
      ],
    };
  }

  @Handle(createVariable)
  async create(
    input: In<typeof createVariable>,
    context: RequestContext,
  ): Promise<Out<typeof createVariable>> {
    const fields = readFields(input);
    return keyed(this.dataSource, context, async (manager) => ({
      success: true,
      variable: mapVariable(await this.variables.create(context.scope, manager, fields)),
    }));
  }

  @Handle(updateVariable)
  async update(
    input: In<typeof updateVariable>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateVariable>> {
    const fields = readFields(input);
    const variable = await this.dataSource.transaction((manager) =>
      this.variables.update(scope, manager, input.id, fields),
    );
    if (variable === null) throw new CarrelError("variable.not-found");
    return { success: true, variable: mapVariable(variable) };
  }

  @Handle(deleteVariable)
  async delete(
    { id }: In<typeof deleteVariable>,
    context: RequestContext,
  ): Promise<Out<typeof deleteVariable>> {
    return keyed(this.dataSource, context, async (manager) => {
      if (!(await this.variables.delete(context.scope, manager, id)))
        throw new CarrelError("variable.not-deleted");
      return { success: true };
    });
  }
}

/** Validates the key by the wire's rule. Throws a message for the form. */
function readFields(input: In<typeof createVariable>): VariableFields {
  const key = input.key.trim();
  const value = cleanText(input.value, 20_000, { lines: true });
  if (key === "" || value === "") throw new CarrelError("variable.incomplete");
  if (isBuiltIn(key)) throw new CarrelError("variable.key-built-in");
  if (!/^[a-zA-Z0-9_]+$/.test(key)) throw new CarrelError("variable.key-characters");
  if (key.length < 3) throw new CarrelError("variable.key-too-short", { limit: 3 });
  if (key.length > 255) throw new CarrelError("variable.key-too-long", { limit: 255 });
  return {
    key,
    value,
    description: cleanText(input.description ?? "", 2_000, { lines: true }) || null,
  };
}

@Module({
  controllers: [VariableHandler],
  providers: [VariableRepository],
  exports: [VariableRepository],
})
export class VariableModule {}
