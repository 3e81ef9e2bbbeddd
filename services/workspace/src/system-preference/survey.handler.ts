import { CarrelError, getSurvey, sendSurvey, type In, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import type { WorkspaceConfig } from "../workspace.config.ts";
import { postJson } from "./post-json.ts";

/** Tells whoever evaluates the answers which form they come from. */
const sourceId = "carrel-first-run";

/** The wizard's survey. Nothing is stored, and nothing is sent unless somebody presses Send. */
@Controller()
export class SurveyHandler {
  constructor(@Inject(CONFIG) private readonly config: WorkspaceConfig) {}

  @Handle(getSurvey)
  get(): Promise<Out<typeof getSurvey>> {
    return Promise.resolve({ address: this.config.CARREL_SURVEY_URL ?? null });
  }

  @Handle(sendSurvey)
  async send({ email, useCase, comment }: In<typeof sendSurvey>): Promise<Out<typeof sendSurvey>> {
    const address = this.config.CARREL_SURVEY_URL;
    if (address === undefined) throw new CarrelError("survey.no-address");
    const { host } = new URL(address);
    const status = await postJson(address, { email, useCase, comment, sourceId }).catch(
      (cause: unknown) => {
        throw new CarrelError("survey.unreachable", { host }, { cause });
      },
    );
    if (status < 200 || status > 299) throw new CarrelError("survey.refused", { host, status });
    return { success: true };
  }
}
