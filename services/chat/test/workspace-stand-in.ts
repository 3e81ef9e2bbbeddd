import {
  CarrelError,
  confirmWorkspaceDeleted,
  fillDatabasePassword,
  findWorkspaces,
  forgetSkillRule,
  getAgentSettings,
  getOutlookSettings,
  getWorkspaceSettings,
  keepOutlookToken,
  listAdminWorkspacePage,
  resolvePromptParts,
  resolveSettings,
  resolveWorkspace,
  updateSettings,
  type In,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { FIXTURE, type Fixture } from "./fixture.ts";
import { standIn } from "./stand-in.ts";

@Controller()
class WorkspaceStandIn {
  constructor(@Inject(FIXTURE) private readonly fixture: Fixture) {}

  @Handle(getWorkspaceSettings)
  async settings(
    _input: In<typeof getWorkspaceSettings>,
    ctx: RequestContext,
  ): Promise<Out<typeof getWorkspaceSettings>> {
    const { id } = ctx.scope.workspace!;
    return {
      workspace: this.fixture.workspaces.get(id)!,
      defaultPrompt: this.fixture.defaultPrompt,
      fallbackModels: this.fixture.fallbackModels.get(id) ?? null,
      parameters: this.fixture.parameters.get(id) ?? null,
    };
  }
  @Handle(listAdminWorkspacePage)
  list(): Promise<Out<typeof listAdminWorkspacePage>> {
    const workspaces = [...this.fixture.workspaces.values()];
    return Promise.resolve({
      workspaces: workspaces.map((workspace) => ({ ...workspace, userIds: [] })),
      next: null,
    });
  }
  @Handle(getAgentSettings)
  agents(): Promise<Out<typeof getAgentSettings>> {
    return Promise.resolve(this.fixture.agents);
  }
  @Handle(forgetSkillRule)
  forgetRule({ skill }: In<typeof forgetSkillRule>): Promise<Out<typeof forgetSkillRule>> {
    if (this.fixture.cannotForget) throw new CarrelError("request.unavailable");
    const { [skill]: _, ...rules } = this.fixture.agents.rules;
    this.fixture.agents = { ...this.fixture.agents, rules };
    return Promise.resolve({});
  }
  @Handle(fillDatabasePassword)
  fill({
    connectionString,
  }: In<typeof fillDatabasePassword>): Promise<Out<typeof fillDatabasePassword>> {
    return Promise.resolve({
      connectionString: connectionString.replace("********", this.fixture.databasePassword),
    });
  }
  @Handle(getOutlookSettings)
  outlook(): Promise<Out<typeof getOutlookSettings>> {
    return Promise.resolve({ outlook: this.fixture.agents.outlook });
  }
  @Handle(keepOutlookToken)
  keep(input: In<typeof keepOutlookToken>): Promise<Out<typeof keepOutlookToken>> {
    this.fixture.keptTokens.push(input);
    return Promise.resolve({});
  }
  @Handle(resolvePromptParts)
  async parts(
    input: In<typeof resolvePromptParts>,
    ctx: RequestContext,
  ): Promise<Out<typeof resolvePromptParts>> {
    this.fixture.resolved.push({ ...input, userId: ctx.scope.principal.userId });
    return { presets: this.fixture.presets, variables: this.fixture.variables };
  }
  @Handle(resolveWorkspace)
  async find(
    { slug }: In<typeof resolveWorkspace>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof resolveWorkspace>> {
    const found = [...this.fixture.workspaces.values()].find(
      (workspace) => workspace.slug === slug,
    );
    const members = found && this.fixture.members.get(found.id);
    if (!found || (principal.role === "default" && members && !members.has(principal.userId ?? 0)))
      throw new CarrelError("workspace.not-found");
    return { scope: { principal, workspace: { id: found.id, slug } } };
  }
  @Handle(findWorkspaces)
  async findMany(
    { ids }: In<typeof findWorkspaces>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof findWorkspaces>> {
    const mayUse = ({ id }: WorkspaceWire): boolean =>
      principal.role !== "default" ||
      (this.fixture.members.get(id)?.has(principal.userId ?? 0) ?? true);
    return {
      workspaces: [...this.fixture.workspaces.values()]
        .filter((workspace) => ids.includes(workspace.id) && mayUse(workspace))
        .map(({ id, name, slug }) => ({ id, name, slug })),
    };
  }
  @Handle(resolveSettings)
  async resolve(): Promise<Out<typeof resolveSettings>> {
    const { values, secrets, settingsVersion: version } = this.fixture;
    return { values, secrets, version };
  }
  @Handle(updateSettings)
  async update({ values }: In<typeof updateSettings>): Promise<Out<typeof updateSettings>> {
    Object.assign(this.fixture.values, values);
    return { newValues: values };
  }
  @Handle(confirmWorkspaceDeleted)
  async confirm(
    input: In<typeof confirmWorkspaceDeleted>,
  ): Promise<Out<typeof confirmWorkspaceDeleted>> {
    this.fixture.confirmed.push(input);
    return {};
  }
}

export const workspaceStandIn = (fixture: Fixture): ServiceDefinition =>
  standIn(
    "workspace",
    WorkspaceStandIn,
    [
      fillDatabasePassword,
      findWorkspaces,
      forgetSkillRule,
      getAgentSettings,
      getOutlookSettings,
      keepOutlookToken,
      getWorkspaceSettings,
      listAdminWorkspacePage,
      resolvePromptParts,
      resolveWorkspace,
      resolveSettings,
      updateSettings,
      confirmWorkspaceDeleted,
    ],
    fixture,
  );
