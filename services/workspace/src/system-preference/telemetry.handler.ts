import { getTelemetry, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import type { WorkspaceConfig } from "../workspace.config.ts";
import { TelemetryReporter } from "./telemetry-reporter.ts";

@Controller()
export class TelemetryHandler {
  constructor(
    private readonly reporter: TelemetryReporter,
    @Inject(CONFIG) private readonly config: WorkspaceConfig,
  ) {}

  @Handle(getTelemetry)
  async get(): Promise<Out<typeof getTelemetry>> {
    return {
      address: this.config.CARREL_TELEMETRY_URL ?? null,
      report: await this.reporter.describe(),
    };
  }
}
