import {
  CarrelError,
  clipText,
  flowTestMs,
  testFlow,
  type FlowStepRun,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { runFlow, type DocumentSearchPort, type ModelPort } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { FlowRepository } from "../flow/flow.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { readPrices, SettingsCache } from "../setting/settings-cache.ts";
import { RunModels } from "./run-models.ts";
import { SkillReach } from "./skill-reach.ts";

/* Replies have at most 1 MB, and requests 256 kB. */
const mostResultBytes = 400_000;
const mostVariableBytes = 150_000;
const longestOutput = 50_000;
/** Of UTF-8, at most. */
const bytesPerUnit = 3;

/** Runs a flow for the admin who builds it, outside of a conversation. */
@Controller()
export class FlowTestHandler {
  constructor(
    private readonly flows: FlowRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly runModels: RunModels,
    private readonly search: QuestionSearch,
    private readonly reach: SkillReach,
  ) {}

  @Handle(testFlow)
  async test(
    { id, inputs, steps: given, from, variables, approve }: In<typeof testFlow>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof testFlow>> {
    const flow = await this.flows.find(id);
    const steps = given ?? flow.steps;
    const reached = await this.flows.loadReached([{ steps }]);
    const outcome = await runFlow({
      steps,
      inputs,
      ports: {
        content: this.reach.content,
        model: await this.openModel(scope),
        search: this.openSearch(scope),
        approve: () => Promise.resolve(approve),
        admit: () => Promise.resolve(true),
        findFlow: (wanted) => Promise.resolve(reached.get(wanted) ?? null),
      },
      signal,
      from,
      variables,
      milliseconds: flowTestMs,
    });
    return {
      ok: outcome.error === null,
      steps: clipResults(outcome.steps),
      ...selectVariables(outcome.variables),
      output: outcome.output === null ? null : clipText(outcome.output, longestOutput),
      fault: outcome.error?.fault ?? null,
    };
  }

  /** Null if there is none, or its settings are incomplete. */
  private async openModel(scope: Scope): Promise<ModelPort | null> {
    const instance = await this.settings.getInstance();
    const workspace = isInWorkspace(scope)
      ? await this.settings.getWorkspace(scope)
      : { chatProvider: null, chatModel: null };
    try {
      const { provider, model } = this.models.choose(workspace, instance);
      if (model === null) return null;
      const caller = {
        scope,
        turnId: null,
        threadId: null,
        findPrice: readPrices(instance.values),
      };
      return this.runModels.portFor(caller, { provider, languageModel: model });
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }

  private openSearch(scope: Scope): DocumentSearchPort | null {
    if (!isInWorkspace(scope)) return null;
    return {
      search: async ({ query, limit }) =>
        (await this.search.search(scope, query, null, { topN: limit })).passages,
    };
  }
}

/** What blocks did, as far as it fits into the reply. */
function clipResults(steps: readonly FlowStepRun[]): FlowStepRun[] {
  let room = mostResultBytes;
  return steps.map((step) => {
    const result = clipText(step.result, Math.floor(room / bytesPerUnit));
    room -= Buffer.byteLength(result);
    return { ...step, result };
  });
}

/** The variables that fit into the reply, and into the request of the next test. */
function selectVariables(
  all: Readonly<Record<string, unknown>>,
): Pick<Out<typeof testFlow>, "variables" | "omitted"> {
  let room = mostVariableBytes;
  const kept: [string, unknown][] = [];
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(all)) {
    const size = Buffer.byteLength(JSON.stringify([name, value]));
    if (size > room) omitted.push(name);
    else {
      room -= size;
      kept.push([name, value]);
    }
  }
  return { variables: Object.fromEntries(kept), omitted };
}

const isInWorkspace = (scope: Scope): scope is WorkspaceScope => scope.workspace !== null;
