import {
  CarrelError,
  findUsers,
  findWorkspaces,
  getOwnUsage,
  getUsage,
  listUsage,
  type In,
  type Out,
  type Principal,
  type UsageGrouping,
  type UsageReport,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageListRepository } from "./usage-list.repository.ts";
import { UsageRepository } from "./usage-record.ts";
import { UsageReportRepository } from "./usage-report.repository.ts";
import { UsageSummer } from "./usage-summer.ts";

@Controller()
class UsageHandler {
  constructor(
    private readonly reports: UsageReportRepository,
    private readonly calls: UsageListRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(getUsage)
  async get(
    { groupBy, ...filter }: In<typeof getUsage>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof getUsage>> {
    const isForAdmins =
      groupBy === "key" || filter.keyId !== undefined || filter.widgetId !== undefined;
    if (isForAdmins && principal.role !== "admin") throw new CarrelError("access.forbidden");
    return this.addNames(
      principal,
      groupBy,
      await this.reports.report("everyone", filter, groupBy),
    );
  }

  @Handle(getOwnUsage)
  async getOwn(
    { groupBy, ...filter }: In<typeof getOwnUsage>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof getOwnUsage>> {
    const { userId } = principal;
    return this.addNames(
      principal,
      groupBy,
      await this.reports.report({ userId }, filter, groupBy),
    );
  }

  @Handle(listUsage)
  list({ after, ...filter }: In<typeof listUsage>): Promise<Out<typeof listUsage>> {
    return this.calls.list(filter, after);
  }

  private async addNames(
    principal: Principal,
    groupBy: UsageGrouping,
    report: UsageReport,
  ): Promise<UsageReport> {
    if (groupBy !== "workspace" && groupBy !== "user") return report;
    const ids = report.groups.flatMap(({ key }) => (key === null ? [] : [Number(key)]));
    if (ids.length === 0) return report;
    const scope = { principal, workspace: null };
    const names = new Map(
      groupBy === "user"
        ? (await this.requests.request(findUsers, { ids }, { scope })).users.map(
            ({ id, username }) => [String(id), username] as const,
          )
        : (await this.requests.request(findWorkspaces, { ids }, { scope })).workspaces.map(
            ({ id, name }) => [String(id), name] as const,
          ),
    );
    return {
      ...report,
      groups: report.groups.map((group) => ({
        ...group,
        name: names.get(group.key ?? "") ?? null,
      })),
    };
  }
}

@Module({
  imports: [SettingModule],
  controllers: [UsageHandler],
  providers: [UsageListRepository, UsageReportRepository, UsageRepository, UsageSummer],
  exports: [UsageReportRepository, UsageRepository],
})
export class UsageModule {}
