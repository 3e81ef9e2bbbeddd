import {
  builtInSystemPrompt,
  clearPromptHistory,
  defaultPromptLabel,
  deletePromptHistoryEntry,
  findUsers,
  getDefaultSystemPrompt,
  listPromptHistory,
  resolvePromptParts,
  setDefaultSystemPrompt,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, RequestClient, keyed, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { cleanText } from "../preference/preference-reader.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceStore } from "../preference/preference.repository.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import {
  DefaultPrompt,
  PromptHistoryModule,
  PromptHistoryRepository,
} from "../prompt-history/prompt-history.repository.ts";
import { UserDirectory, UserModule } from "../user/user-directory.ts";
import { readBuiltIns, type Moment } from "../variable/built-in-variables.ts";
import { VariableModule, VariableRepository } from "../variable/variable.module.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** Earlier system prompts of a workspace. */
@Controller()
class PromptHistoryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly history: PromptHistoryRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listPromptHistory)
  async list(
    _input: In<typeof listPromptHistory>,
    context: RequestContext,
  ): Promise<Out<typeof listPromptHistory>> {
    const scope = requireWorkspace(context.scope);
    if ((await this.workspaces.find(scope)) === null) throw unknownWorkspace();
    const entries = await this.history.list(scope);
    const users = await this.users.find(entries.flatMap(({ modifiedBy }) => modifiedBy ?? []));
    return {
      history: entries.map(({ id, workspaceId, prompt, modifiedBy, modifiedAt }) => {
        const user = modifiedBy === null ? undefined : users.get(modifiedBy);
        return {
          id,
          workspaceId,
          prompt,
          modifiedBy,
          modifiedAt: modifiedAt.toISOString(),
          user: user === undefined ? null : { username: user.username },
        };
      }),
    };
  }

  @Handle(clearPromptHistory)
  async clear(
    _input: In<typeof clearPromptHistory>,
    context: RequestContext,
  ): Promise<Out<typeof clearPromptHistory>> {
    const scope = requireWorkspace(context.scope);
    if ((await this.workspaces.find(scope)) === null) throw unknownWorkspace();
    await this.history.clear(scope);
    return { success: true };
  }

  /** The path names no workspace, so the entry itself determines it. */
  @Handle(deletePromptHistoryEntry)
  async delete(
    { id }: In<typeof deletePromptHistoryEntry>,
    context: RequestContext,
  ): Promise<Out<typeof deletePromptHistoryEntry>> {
    return keyed(this.dataSource, context, async (manager) => ({
      success: await this.history.delete(context.scope, manager, id),
    }));
  }
}

/** The commands and variables that prompts can use. */
@Controller()
class PromptHandler {
  constructor(
    private readonly presets: PresetRepository,
    private readonly variables: VariableRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(resolvePromptParts)
  async resolve(
    { timeZone, locale, commands = [] }: In<typeof resolvePromptParts>,
    context: RequestContext,
  ): Promise<Out<typeof resolvePromptParts>> {
    const scope = requireWorkspace(context.scope);
    const [workspace, presets, variables, user] = await Promise.all([
      this.workspaces.find(scope),
      this.findPresets(scope, commands),
      this.variables.list(scope),
      this.findUser(scope),
    ]);
    if (workspace === null) throw unknownWorkspace();
    const kept = variables.map(({ key, value }) => [key, value] as const);
    return {
      presets: presets.map(({ command, prompt }) => ({ command, prompt })),
      variables: {
        ...Object.fromEntries(kept),
        ...readBuiltIns({ now: new Date(), timeZone, locale, user, workspace }),
      },
    };
  }

  private findPresets(
    scope: Scope,
    commands: readonly string[],
  ): Promise<{ command: string; prompt: string }[]> {
    const { kind } = scope.principal;
    if (kind === "key") return this.presets.findAny(commands);
    return kind === "user" || kind === "instance" || kind === "extension"
      ? this.presets.list(scope)
      : Promise.resolve([]);
  }

  private async findUser({ principal }: Scope): Promise<Moment["user"]> {
    if (principal.userId === null) return null;
    const { users } = await this.requests.request(
      findUsers,
      { ids: [principal.userId], withBio: true },
      { scope: { principal, workspace: null } },
    );
    return users[0] === undefined
      ? { username: "", bio: "" }
      : { username: users[0].username, bio: users[0].bio ?? "" };
  }
}

/** The system prompt of workspaces without their own. */
@Controller()
class DefaultPromptHandler {
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

@Module({
  imports: [
    PreferenceModule,
    PresetModule,
    PromptHistoryModule,
    UserModule,
    VariableModule,
    WorkspaceModule,
  ],
  controllers: [DefaultPromptHandler, PromptHandler, PromptHistoryHandler],
})
export class PromptModule {}
