import { findUsers, getAuthSettings, type In, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { FIXTURE, type Fixture } from "./fixture.ts";
import { standIn } from "./stand-in.ts";

@Controller()
class AuthStandIn {
  constructor(@Inject(FIXTURE) private readonly fixture: Fixture) {}

  @Handle(getAuthSettings)
  async settings(): Promise<Out<typeof getAuthSettings>> {
    return {
      RequiresAuth: this.fixture.hasAccounts,
      AuthToken: false,
      JWTSecret: true,
      MultiUserMode: this.fixture.hasAccounts,
      SimpleSSOEnabled: false,
      SimpleSSONoLogin: false,
      SimpleSSONoLoginRedirect: null,
      OpenIDName: null,
    };
  }

  @Handle(findUsers)
  async findMany({ ids }: In<typeof findUsers>): Promise<Out<typeof findUsers>> {
    return {
      users: ids.map((id) => ({
        id,
        username: `user-${id}`,
        role: this.fixture.managers.has(id) ? "manager" : "default",
        suspended: this.fixture.suspended.has(id),
      })),
    };
  }
}

export const authStandIn = (fixture: Fixture): ServiceDefinition =>
  standIn("auth", AuthStandIn, [findUsers, getAuthSettings], fixture);
