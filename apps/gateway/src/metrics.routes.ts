import { getMetrics } from "@carrel/contracts";
import { metrics } from "@carrel/observability";
import { Injectable } from "@nestjs/common";
import { Route } from "./http/route.ts";

@Injectable()
export class MetricsRoutes {
  /**
   * Metrics of this process: in standalone, of the whole product. Scrapers of single services use
   * their health ports.
   */
  @Route(getMetrics)
  get(): Promise<string> {
    metrics.collectProcess();
    return metrics.render();
  }
}
