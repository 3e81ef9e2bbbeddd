import {
  CarrelError,
  listFlows,
  setUpSkill,
  validateSqlConnection,
  changeFlow,
  askHub,
  changeImportedSkill,
  type Out,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** What existing clients request but Carrel doesn't have yet; the contracts define the refusals. */
@Injectable()
export class PlannedFeatureRoutes {
  @Route(listFlows)
  flows(): Out<typeof listFlows> {
    return { success: true, flows: [] };
  }

  @Route(changeFlow)
  flow(): never {
    throw new CarrelError("feature.flows");
  }

  @Route(changeImportedSkill)
  importedSkill(): never {
    throw new CarrelError("feature.skills");
  }

  @Route(setUpSkill)
  skillSetup(): never {
    throw new CarrelError("feature.skills");
  }

  @Route(validateSqlConnection)
  sqlConnection({ input }: Call<typeof validateSqlConnection>): never {
    throw new CarrelError(
      input.engine && input.connectionString
        ? "feature.sql-connections"
        : "feature.sql-connection-incomplete",
    );
  }

  @Route(askHub)
  hub(): never {
    throw new CarrelError("feature.hub");
  }
}
