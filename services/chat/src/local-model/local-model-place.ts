import type { InstanceConfig } from "@carrel/config";
import { localModelFolder } from "@carrel/providers";
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
}
