import { conditionsChannel, getSystemConditions, type Out } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from "@nestjs/common";
import { Route } from "./http/route.ts";

type Conditions = Out<typeof getSystemConditions>["conditions"];
interface Report {
  /** The process. */
  source: string;
  conditions: Record<string, Conditions[number]["condition"]>;
}

/** Three times as long as processes take between two reports, in ms. */
const reportedMs = 30_000;

/** What the processes of this instance, this one included, say that an administrator should know. */
@Injectable()
export class SystemConditionsRoutes implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reports = new Map<string, Report & { at: number }>();
  private stop: () => void = () => undefined;

  constructor(private readonly broadcast: Broadcast) {}

  onApplicationBootstrap(): void {
    this.stop = this.broadcast.on(conditionsChannel, (payload) => {
      const report = payload as Report;
      this.reports.set(report.source, { ...report, at: Date.now() });
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  @Route(getSystemConditions)
  get(): Promise<Out<typeof getSystemConditions>> {
    const known = new Map<string, Conditions[number]>();
    for (const [source, { at, conditions }] of this.reports) {
      if (Date.now() - at > reportedMs) this.reports.delete(source);
      else
        for (const [place, condition] of Object.entries(conditions))
          known.set(`${place} ${condition}`, { place, condition });
    }
    return Promise.resolve({ conditions: [...known.values()] });
  }
}
