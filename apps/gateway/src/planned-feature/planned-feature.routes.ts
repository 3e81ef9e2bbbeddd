import { CarrelError, askHub, changeImportedSkill } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Route } from "../http/route.ts";

/** What existing clients request but Carrel doesn't have yet; the contracts define the refusals. */
@Injectable()
export class PlannedFeatureRoutes {
  @Route(changeImportedSkill)
  importedSkill(): never {
    throw new CarrelError("feature.skills");
  }

  @Route(askHub)
  hub(): never {
    throw new CarrelError("feature.hub");
  }
}
