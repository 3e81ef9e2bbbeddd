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
      ...(await describeLanguages(active, building)),
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

/** Languages without vectors, and the built-in model that would cover them. */
async function describeLanguages(
  active: SearchIndex,
  building: SearchIndex | null,
): Promise<Pick<Out<typeof getIndexState>, "languagesWithoutVectors" | "multilingualModel">> {
  const languagesWithoutVectors = Object.entries(active.vectorChecks)
    .filter(([, { works }]) => !works)
    .map(([language]) => language);
  const { languagesOf, multilingualModel } = await import("@carrel/providers");
  const isLimited = active.engine === "native" && languagesOf(active.model) !== null;
  const { id: model, size } = multilingualModel;
  return {
    languagesWithoutVectors,
    multilingualModel:
      isLimited && languagesWithoutVectors.length > 0 && building?.model !== model
        ? { model, size }
        : null,
  };
}
