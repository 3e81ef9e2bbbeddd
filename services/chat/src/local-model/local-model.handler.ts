import { totalmem } from "node:os";
import { basename } from "node:path";
import {
  CarrelError,
  cancelLocalModel,
  deleteLocalModel,
  downloadLocalModel,
  listLocalModels,
  type In,
  type LocalModelDownload,
  type LocalModelFile,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import {
  estimateSpeed,
  ggufParts,
  measureMachine,
  measuredSpeed,
  unloadLocalModel,
  type GgufModel,
  type MachineSpeed,
} from "@carrel/providers";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { chooseOffers, roundSpeed } from "./choose-offers.ts";
import { curatedModels, curatedName, findCurated, type CuratedModel } from "./curated-models.ts";
import { LocalModelPlace } from "./local-model-place.ts";
import { LocalModelUse } from "./local-model-use.ts";
import { ModelDownloadRepository, type ModelDownloadRow } from "./model-download.repository.ts";
import { ModelDownloads } from "./model-downloads.ts";

/** The machine's memory, or what its container may take. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const requireModel = (id: string): CuratedModel => {
  const model = findCurated(id);
  if (model === undefined) throw new CarrelError("local-model.not-found");
  return model;
};

const describeFile = (
  { file, name, size, parameters }: GgufModel,
  machine: MachineSpeed | null,
): LocalModelFile => {
  const speed = measuredSpeed(file) ?? (machine && estimateSpeed({ size, parameters }, machine));
  return {
    file,
    name: curatedName(file) ?? name,
    bytes: size,
    tokensPerSecond: speed && roundSpeed(speed.answer),
  };
};

const describeDownload = ({ model, ...download }: ModelDownloadRow): LocalModelDownload[] => {
  const known = findCurated(model);
  return known ? [{ id: model, name: known.name, file: known.file, ...download }] : [];
};

@Controller()
export class LocalModelHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: ModelDownloadRepository,
    private readonly downloads: ModelDownloads,
    private readonly place: LocalModelPlace,
    private readonly use: LocalModelUse,
    private readonly events: EventLog,
  ) {}

  @Handle(listLocalModels)
  async list(): Promise<Out<typeof listLocalModels>> {
    const { isOn, hub } = this.place;
    if (!isOn) return { isOn, hub: null, offers: [], files: [], downloads: [] };
    const [machine, files, rows] = await Promise.all([
      // Only figures are missing without it.
      measureMachine(),
      this.place.listModels(),
      this.rows.list(),
    ]);
    return {
      isOn,
      hub: hub === null ? null : new URL(hub).host,
      offers: chooseOffers(curatedModels, machineMemory(), machine),
      files: files.map((model) => describeFile(model, machine)),
      downloads: rows.flatMap(describeDownload),
    };
  }

  @Handle(downloadLocalModel)
  async download(
    { id, useWhenReady }: In<typeof downloadLocalModel>,
    { scope }: RequestContext,
  ): Promise<Out<typeof downloadLocalModel>> {
    this.requireOn();
    if (this.place.hub === null) throw new CarrelError("local-model.downloads-disabled");
    const { name, license, bytes } = requireModel(id);
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.rows.start(manager, { model: id, totalBytes: bytes, useWhenReady })))
        throw new CarrelError("local-model.download-running");
      await this.events.record(manager, scope, "local_model_requested", { model: name, license });
    });
    await this.downloads.wake();
    return { success: true };
  }

  @Handle(cancelLocalModel)
  async cancel({ id }: In<typeof cancelLocalModel>): Promise<Out<typeof cancelLocalModel>> {
    const model = requireModel(id);
    await this.rows.delete(id);
    await this.downloads.discard(model);
    return { success: true };
  }

  @Handle(deleteLocalModel)
  async delete(
    { file }: In<typeof deleteLocalModel>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteLocalModel>> {
    this.requireOn();
    const model = (await this.place.listModels()).find((each) => each.file === basename(file));
    if (model === undefined) throw new CarrelError("local-model.not-found");
    const name = curatedName(model.file) ?? model.name;
    if (await this.use.isInUse(model.file, scope))
      throw new CarrelError("local-model.in-use", { model: name });
    // A thread may have chosen it, and a file that is open keeps its place on the disk.
    await unloadLocalModel(model.file);
    for (const part of ggufParts(model.file)) await this.place.deleteFile(part);
    await this.dataSource.transaction((manager) =>
      this.events.record(manager, scope, "local_model_deleted", { model: name }),
    );
    return { success: true };
  }

  private requireOn(): void {
    if (!this.place.isOn) throw new CarrelError("local-model.off");
  }
}
