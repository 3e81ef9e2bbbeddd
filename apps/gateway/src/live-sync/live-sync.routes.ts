import { liveSyncLabel, toggleLiveSync, updatePreferences, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** Live sync is a preference; existing clients set it by a route of its own. */
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
