import {
  CarrelError,
  listFlows,
  changeFlow,
  askHub,
  changeImportedSkill,
  type Out,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Route } from "../http/route.ts";

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

  @Route(askHub)
  hub(): never {
    throw new CarrelError("feature.hub");
  }
}
