import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";
import { CarrelError } from "@carrel/contracts";
import { listGgufModels, localModelFolder, type GgufModel } from "@carrel/providers";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

/** Where this instance has language models that it runs itself, and where it gets them from. */
@Injectable()
export class LocalModelPlace {
  readonly isOn: boolean;
  readonly folder: string;
  /** Null: downloads are disabled. */
  readonly hub: string | null;

  constructor(
    @Inject(CONFIG)
    config: Pick<
      InstanceConfig,
      "CARREL_HOME" | "CARREL_LOCAL_MODELS" | "CARREL_MODELS_DIR" | "CARREL_MODEL_HUB"
    >,
  ) {
    this.isOn = config.CARREL_LOCAL_MODELS;
    this.folder = localModelFolder(config);
    this.hub = config.CARREL_MODEL_HUB;
  }

  listModels(): Promise<GgufModel[]> {
    return listGgufModels(this.folder).catch(refuse);
  }

  async deleteFile(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true }).catch(refuse);
  }
}

/** Says which rights are missing, which an admin can mend. */
function refuse(fault: NodeJS.ErrnoException): never {
  const reason = String(fault.code);
  if (/^(?:EACCES|EPERM|EROFS|EBUSY|ENOTDIR)$/.test(reason))
    throw new CarrelError("local-model.folder-not-writable", { reason });
  throw fault;
}
