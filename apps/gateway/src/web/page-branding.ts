import { setTimeout as sleep } from "node:timers/promises";
import { brandingChanged, getPageBranding, publicPrincipal, type Out } from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";

/** How long a lost broadcast may go unnoticed. */
const lifetimeMs = 60_000;
/** An unresponsive service must not delay the page; the title changes with the next one. */
const patienceMs = 200;

type Branding = Out<typeof getPageBranding>;
const none: Branding = { title: null, name: null, favicon: null };

/** Title and icon of the app's page, cached until they change. */
@Injectable()
export class PageBranding implements OnModuleDestroy {
  private known: Branding = none;
  private staleAt = 0;
  private reading: Promise<void> | null = null;
  private readonly stops: (() => void)[];

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    const forget = (): void => {
      this.staleAt = 0;
      this.reading = null; // it may have begun before the change
    };
    this.stops = [broadcast.on(`event:${brandingChanged.name}`, forget), broadcast.onGap(forget)];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  async read(): Promise<Branding> {
    if (Date.now() >= this.staleAt) {
      this.reading ??= this.refresh();
      await Promise.race([this.reading, sleep(patienceMs, undefined, { ref: false })]);
    }
    return this.known;
  }

  private refresh(): Promise<void> {
    const scope = { principal: publicPrincipal, workspace: null };
    const reading = this.requests
      .request(getPageBranding, {}, { scope })
      .then((branding) => {
        if (this.reading !== reading) return;
        this.known = branding;
        this.staleAt = Date.now() + lifetimeMs;
      })
      .catch(() => undefined) // the page keeps what it had, and the next one asks again
      .finally(() => {
        if (this.reading === reading) this.reading = null;
      });
    return reading;
  }
}
