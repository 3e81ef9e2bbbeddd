import {
  getMemberRights,
  servicePrincipal,
  type Access,
  type MemberRight,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceFreshness, type ReadTime } from "./workspace-freshness.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** What admins allow members, cached until a setting changes. */
@Injectable()
export class MemberRights {
  private known: { rights: Promise<MemberRight[]>; readAt: ReadTime } | null = null;

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

  /** Adds members' rights to the principal if the policy depends on them. */
  async addTo(principal: Principal, { memberMay }: Access): Promise<Principal> {
    if (memberMay === undefined || principal.kind !== "user" || principal.role !== "default")
      return principal;
    return { ...principal, may: await this.read() };
  }

  private read(): Promise<MemberRight[]> {
    if (this.known !== null && this.freshness.isCurrent(this.known.readAt))
      return this.known.rights;
    const asked = { rights: this.ask(), readAt: this.freshness.now() };
    this.known = asked;
    asked.rights.catch(() => {
      if (this.known === asked) this.known = null;
    });
    return asked.rights;
  }

  private async ask(): Promise<MemberRight[]> {
    return (await this.requests.request(getMemberRights, {}, { scope: serviceScope })).rights;
  }
}
