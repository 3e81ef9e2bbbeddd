import type { AgentSettings } from "@carrel/contracts";
import type { LanguageModel } from "@carrel/providers";
import type { Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import type { AnswerTask } from "../answer/answerer.ts";

/** The model of a run. */
export interface RunModel {
  /** Its provider in settings and in usage. */
  provider: string;
  languageModel: LanguageModel;
}

/** Lists the tools of a run. */
@Injectable()
export class AgentTools {
  async list(_task: AnswerTask, _settings: AgentSettings, _model: RunModel): Promise<Tool[]> {
    return [];
  }
}
