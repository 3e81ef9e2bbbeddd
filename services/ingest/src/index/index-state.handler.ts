import { getIndexState, servicePrincipal, type Out, type Scope } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { mapTarget } from "./index-target.ts";
import type { SearchIndex } from "./search-index.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** The index state for the settings page. */
@Controller()
export class IndexStateHandler {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly directory: IndexDirectory,
    private readonly entries: IndexEntryRepository,
  ) {}

  @Handle(getIndexState)
  async state(): Promise<Out<typeof getIndexState>> {
    this.directory.forget();
    const [active, building, previous, vectors, embedding, target] = await Promise.all([
      this.directory.active(),
      this.directory.find("building"),
      this.directory.find("previous"),
      this.entries.countVectors(serviceScope),
      this.entries.countEmbedded(serviceScope),
      this.settings.get().then((values) => this.directory.read(values)),
    ]);
    const cannot =
      target.fault !== null &&
      (target.engine !== active.engine || target.vectorPlace !== active.vectorPlace || vectors > 0);
    return {
      active: vectors === 0 ? null : mapTarget(active),
      vectors,
      vectorsWork: active.vectorsWork,
      embedding,
      wanted: cannot ? mapTarget(target) : null,
      reason: cannot ? target.fault : null,
      building: building && {
        id: building.id,
        target: mapTarget(building),
        state: building.state,
        fault: building.message ?? (building.state === "running" ? null : building.fault),
        ...(await this.entries.count(serviceScope, building.id)),
        startedAt: building.startedAt.toISOString(),
        secondsLeft: await this.secondsLeft(building),
      },
      previous: previous && { target: mapTarget(previous), since: previous.since.toISOString() },
    };
  }

  private async secondsLeft(building: SearchIndex): Promise<number | null> {
    if (building.state !== "running" || building.chunksBuilt === 0 || building.busyMs === 0)
      return null;
    const { chunksDone, chunksTotal } = await this.entries.count(serviceScope, building.id);
    return Math.ceil(((chunksTotal - chunksDone) * building.busyMs) / building.chunksBuilt / 1000);
  }
}
