import { findUsers, servicePrincipal, type Out, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { rowIds } from "../access/workspace-rights.ts";

export type KnownUser = Out<typeof findUsers>["users"][number];

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Users per request, well below the maximum reply size. */
const atOnce = 2_000;

/** Names and roles of users, from auth. */
@Injectable()
export class UserDirectory {
  constructor(private readonly requests: RequestClient) {}

  /** Users by id; unknown ones are missing. */
  async find(ids: readonly number[]): Promise<Map<number, KnownUser>> {
    const users = new Map<number, KnownUser>();
    const asked = rowIds(ids);
    for (let from = 0; from < asked.length; from += atOnce) {
      const page = await this.requests.request(
        findUsers,
        { ids: asked.slice(from, from + atOnce) },
        { scope: serviceScope },
      );
      for (const user of page.users) users.set(user.id, user);
    }
    return users;
  }
}

@Module({
  providers: [UserDirectory],
  exports: [UserDirectory],
})
export class UserModule {}
