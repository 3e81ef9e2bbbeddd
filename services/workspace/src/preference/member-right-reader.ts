import {
  memberRightLabels,
  memberRights,
  servicePrincipal,
  type MemberRight,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { PreferenceRepository } from "./preference.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** What admins allow members; reads as Carrel itself, because only admins see preferences. */
@Injectable()
export class MemberRightReader {
  constructor(private readonly preferences: PreferenceRepository) {}

  async read(): Promise<MemberRight[]> {
    const kept = await this.preferences.list(serviceScope, Object.values(memberRightLabels));
    return memberRights.filter((right) => kept.get(memberRightLabels[right]) === true);
  }
}
