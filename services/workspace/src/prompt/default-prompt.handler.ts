import {
  builtInSystemPrompt,
  defaultPromptLabel,
  getDefaultSystemPrompt,
  setDefaultSystemPrompt,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { PreferenceStore } from "../preference/preference-store.ts";
import { cleanText } from "../preference/preference-value.ts";
import { DefaultPrompt } from "../prompt-history/default-prompt.ts";

/** The system prompt of workspaces without their own. */
@Controller()
export class DefaultPromptHandler {
  constructor(
    private readonly defaultPrompt: DefaultPrompt,
    private readonly preferences: PreferenceStore,
  ) {}

  @Handle(getDefaultSystemPrompt)
  async getDefault(
    _input: In<typeof getDefaultSystemPrompt>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getDefaultSystemPrompt>> {
    return {
      success: true,
      defaultSystemPrompt: await this.defaultPrompt.read(scope),
      saneDefaultSystemPrompt: builtInSystemPrompt,
    };
  }

  /**
   * The built-in prompt isn't stored as the instance's own, so that an update of Carrel can improve
   * it.
   */
  @Handle(setDefaultSystemPrompt)
  async setDefault(
    input: In<typeof setDefaultSystemPrompt>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setDefaultSystemPrompt>> {
    const prompt = cleanText(input.defaultSystemPrompt ?? "", 50_000, { lines: true });
    await this.preferences.update(
      scope,
      new Map([
        [defaultPromptLabel, prompt === "" || prompt === builtInSystemPrompt ? null : prompt],
      ]),
      () => false,
    );
    return { success: true, message: "Default system prompt updated successfully." };
  }
}
