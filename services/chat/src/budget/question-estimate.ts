import { quotingProvider, type WorkspaceScope, type WorkspaceWire } from "@carrel/contracts";
import { estimateTokens, isFreeProvider } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { LanguageModels, chooseProvider } from "../model/language-models.ts";
import { SettingsCache, readPrices, type InstanceSettings } from "../setting/settings-cache.ts";

/** Minimum use expected of a question. */
export interface QuestionEstimate {
  /** 0 if the workspace answers without a model. */
  tokens: number;
  /** Millionths of a dollar; 0 if the price isn't known. */
  micros: number;
  /** Whether the workspace's model runs on the instance's machines. */
  isFree: boolean;
}

/** Tokens of instructions and passages, and of an answer, until a budget knows its own average. */
const contextTokens = 700;
const answerTokens = 300;

@Injectable()
export class QuestionEstimates {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
  ) {}

  /** Never throws: if the settings can't be read, the question is written anyway and then fails. */
  async estimate(scope: WorkspaceScope, question: string): Promise<QuestionEstimate> {
    const input = estimateTokens(question) + contextTokens;
    const tokens = input + answerTokens;
    const settings = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]).catch(() => null);
    if (settings === null) return { tokens, micros: 0, isFree: false };
    const [workspace, instance] = settings;
    const { provider } = chooseProvider(workspace, instance.values);
    if (provider === quotingProvider) return { tokens: 0, micros: 0, isFree: true };
    const model = this.findModel(workspace, instance);
    const price = model === null ? null : readPrices(instance.values)(provider, model);
    const micros =
      price === null ? 0 : input * (price.input ?? 0) + answerTokens * (price.output ?? 0);
    return { tokens, micros: Math.ceil(micros), isFree: isFreeProvider(provider) };
  }

  /** Returns null if the provider's settings are incomplete; the answer then says so. */
  private findModel(workspace: WorkspaceWire, instance: InstanceSettings): string | null {
    try {
      return this.models.choose(workspace, instance).model?.model ?? null;
    } catch {
      return null;
    }
  }
}
