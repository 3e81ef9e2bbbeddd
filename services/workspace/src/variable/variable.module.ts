import {
  CarrelError,
  createVariable,
  deleteVariable,
  listVariables,
  updateVariable,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Module, Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { cleanText } from "../preference/preference-value.ts";
import { isBuiltIn, listBuiltIns } from "./built-in-variables.ts";
import type { Variable } from "./variable.entity.ts";
import { VariableRepository, type VariableFields } from "./variable.repository.ts";

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
        ...listBuiltIns(scope.principal.userId !== null),
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
