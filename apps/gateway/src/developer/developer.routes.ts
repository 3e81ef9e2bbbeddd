import { checkApiKey, type Out } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Route } from "../http/route.ts";

@Injectable()
export class DeveloperRoutes {
  /** The guard has already checked the key. */
  @Route(checkApiKey)
  check(): Promise<Out<typeof checkApiKey>> {
    return Promise.resolve({ authenticated: true });
  }
}
