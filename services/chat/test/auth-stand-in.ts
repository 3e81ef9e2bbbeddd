import { findUsers, getAuthSettings, type In, type Out, type Role } from "@carrel/contracts";
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
      users: ids
        .filter((id) => !this.fixture.deletedUsers.has(id))
        .map((id) => ({
          id,
          username: `user-${id}`,
          role: this.roleOf(id),
          suspended: this.fixture.suspended.has(id),
          dailyMessageLimit: this.fixture.dailyLimits.get(id) ?? null,
          language: this.fixture.languages.get(id) ?? null,
        })),
    };
  }

  private roleOf(id: number): Role {
    if (this.fixture.admins.has(id)) return "admin";
    return this.fixture.managers.has(id) ? "manager" : "default";
  }
}

export const authStandIn = (fixture: Fixture): ServiceDefinition =>
  standIn("auth", AuthStandIn, [findUsers, getAuthSettings], fixture);
