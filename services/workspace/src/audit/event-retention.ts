import { eventRetentionLabel, longestEventRetention, servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { z } from "zod";
import { PreferenceRepository } from "../preference/preference.repository.ts";

const kept = z.number().int().min(1).max(longestEventRetention);

/** How long entries of the event log are kept. */
@Injectable()
export class EventRetention {
  constructor(private readonly preferences: PreferenceRepository) {}

  /** In days; null: until somebody clears the log. */
  async days(): Promise<number | null> {
    const value = await this.preferences.find(
      { principal: servicePrincipal, workspace: null },
      eventRetentionLabel,
    );
    return kept.safeParse(value).data ?? null;
  }
}
