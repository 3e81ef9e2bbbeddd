import { liveSyncLabel, toggleLiveSync, updatePreferences, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** The switch for live sync is a preference that existing clients set through a separate route. */
@Injectable()
export class LiveSyncRoutes {
  constructor(private readonly requests: RequestClient) {}

  @Route(toggleLiveSync)
  async toggle({
    input: { updatedStatus },
    scope,
  }: Call<typeof toggleLiveSync>): Promise<Out<typeof toggleLiveSync>> {
    const liveSyncEnabled = updatedStatus === true || updatedStatus === "enabled";
    await this.requests.request(
      updatePreferences,
      { preferences: { [liveSyncLabel]: liveSyncEnabled } },
      { scope },
    );
    return { liveSyncEnabled };
  }
}
