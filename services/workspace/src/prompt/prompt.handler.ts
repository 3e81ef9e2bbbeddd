import { findUsers, resolvePromptParts, type In, type Out, type Scope } from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import { readBuiltIns, type Moment } from "../variable/built-in-variables.ts";
import { VariableRepository } from "../variable/variable.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** The commands and variables that prompts can use. */
@Controller()
export class PromptHandler {
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
