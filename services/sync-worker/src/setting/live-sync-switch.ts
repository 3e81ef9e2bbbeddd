import {
  CarrelError,
  liveSyncLabel,
  resolveSettings,
  servicePrincipal,
  settingsChanged,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";

const scope = { principal: servicePrincipal, workspace: null };
/** How long it is cached: changes are broadcast, and this recovers from a lost broadcast. */
const freshMs = 30_000;

/** Whether live sync is on. */
@Injectable()
export class LiveSyncSwitch implements OnModuleDestroy {
  private cached: { isOn: Promise<boolean>; at: number } | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly stops: (() => void)[];

  constructor(
    private readonly client: RequestClient,
    broadcast: Broadcast,
  ) {
    const changed = (): void => {
      this.cached = null;
      for (const listener of this.listeners) listener();
    };
    this.stops = [broadcast.on(`event:${settingsChanged.name}`, changed), broadcast.onGap(changed)];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  isOn(): Promise<boolean> {
    if (this.cached !== null && Date.now() - this.cached.at < freshMs) return this.cached.isOn;
    const cached = { isOn: this.read(), at: Date.now() };
    this.cached = cached;
    // A failure isn't remembered.
    cached.isOn.catch(() => {
      if (this.cached === cached) this.cached = null;
    });
    return cached.isOn;
  }

  /** Throws `watch.disabled` while it is off. */
  async require(): Promise<void> {
    if (!(await this.isOn())) throw new CarrelError("watch.disabled");
  }

  private async read(): Promise<boolean> {
    const { values } = await this.client.request(resolveSettings, {}, { scope });
    return values[liveSyncLabel] === "true";
  }
}
