import { CarrelError, readImportId, type HubItemType } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { toSourceFault } from "../connector/source-fault.ts";
import { HubOpener } from "./hub-opener.ts";
import { HubSettingRepository, type HubSetting } from "./hub-setting.repository.ts";
import type { FoundItem, Hub, Listing } from "./hub.ts";

/** Searching and paging don't ask the hub again. */
const keptMs = 60_000;
const loadMs = 90_000;

/** The hub that the settings name. */
@Injectable()
export class HubReader {
  private kept: { settings: string; listing: Promise<Listing>; until: number } | null = null;

  constructor(
    private readonly settings: HubSettingRepository,
    private readonly opener: HubOpener,
  ) {}

  async open(signal: AbortSignal): Promise<Hub> {
    return this.opener.open(await this.settings.read(), signal);
  }

  /** What it lists; what was read in the last minute isn't read again unless `refresh` says so. */
  async list({ refresh = false } = {}): Promise<Listing> {
    const setting = await this.settings.read();
    const settings = JSON.stringify(setting);
    const { kept: before } = this;
    if (!refresh && before?.settings === settings && before.until > performance.now())
      return before.listing;
    const listing = this.load(setting);
    const kept = { settings, listing, until: performance.now() + keptMs };
    this.kept = kept;
    try {
      return await listing;
    } catch (error) {
      if (this.kept === kept) this.kept = null;
      throw error;
    }
  }

  /** Published items are found at once. */
  forget(): void {
    this.kept = null;
  }

  /** Others wait for it as well, so it isn't stopped with one request. */
  private async load(setting: HubSetting): Promise<Listing> {
    const hub = await this.opener.open(setting, AbortSignal.timeout(loadMs));
    try {
      return (await hub.list()).listing;
    } catch (error) {
      throw toSourceFault(error);
    }
  }

  async find(
    importId: string | null | undefined,
    signal: AbortSignal,
  ): Promise<{ hub: Hub; found: FoundItem; setting: HubSetting }> {
    const { type, id } = requireImportId(importId);
    const setting = await this.settings.read();
    try {
      const hub = await this.opener.open(setting, signal);
      return { hub, found: await hub.find(type, id), setting };
    } catch (error) {
      throw toSourceFault(error);
    }
  }
}

/** Throws the texts that existing clients know. */
function requireImportId(given: string | null | undefined): { type: HubItemType; id: string } {
  if (!given?.trim()) throw new CarrelError("hub.import-id-missing");
  const read = readImportId(given);
  if (read === null) throw new CarrelError("hub.import-id-invalid");
  return read;
}
