import { isDeepStrictEqual } from "node:util";
import {
  CarrelError,
  checkHub,
  getHubSettings,
  hubDownloads,
  hubItemTypes,
  hubKeyMask,
  isRecentlyProven,
  updateHubSettings,
  type HubSettings,
  type HubSource,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { toSourceFault } from "../connector/source-fault.ts";
import { HubEvents } from "./hub-events.ts";
import { HubOpener, originOf } from "./hub-opener.ts";
import { HubSettingRepository, type HubKey, type HubSetting } from "./hub-setting.repository.ts";

const shownDigits = 4;
/** Of a shorter key, they would tell too much. */
const shortKey = 12;
const shownFaults = 20;

const mask = (key: string): string =>
  hubKeyMask + (key.length < shortKey ? "" : key.slice(-shownDigits));

/** Which hub there is, and what may be downloaded from it. */
@Controller()
export class HubSettingHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: HubSettingRepository,
    private readonly opener: HubOpener,
    private readonly events: HubEvents,
  ) {}

  @Handle(getHubSettings)
  async get(): Promise<Out<typeof getHubSettings>> {
    return this.describe(await this.settings.read());
  }

  @Handle(updateHubSettings)
  async update(
    input: In<typeof updateHubSettings>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateHubSettings>> {
    const wanted = input.source && (await this.opener.normalize(input.source));
    return this.dataSource.transaction(async (manager) => {
      const before = await this.settings.read(manager);
      const source = wanted ?? before.source;
      const downloads = input.downloads ?? before.downloads;
      const key = readKey(before, source, input.connectionKey);
      const givesKey = input.connectionKey?.startsWith(hubKeyMask) === false;
      const isOther = !isDeepStrictEqual(source, before.source);
      const isNewKey = !isDeepStrictEqual(key, before.key);
      const widens =
        (isOther && source.kind !== "off") ||
        (isNewKey && key !== null) ||
        hubDownloads.indexOf(downloads) > hubDownloads.indexOf(before.downloads);
      if (widens && !isRecentlyProven(scope.principal)) throw new CarrelError("access.proof-due");
      const isSame = !isOther && !isNewKey && downloads === before.downloads;
      // An unreadable key stays: the right secret may come back.
      if (!isSame || (before.isKeyUnreadable && givesKey)) {
        await this.settings.save(manager, { source, downloads, ...(givesKey && { key }) });
        await this.events.record(manager, scope, "community_hub_settings_updated", {
          source: source.kind,
          host: source.kind === "folder" ? undefined : hostOf(source),
          downloads,
          keyChanged: isNewKey,
        });
      }
      return this.describe({ source, downloads, key, isKeyUnreadable: false });
    });
  }

  @Handle(checkHub)
  async check(
    { source: given, connectionKey }: In<typeof checkHub>,
    { signal }: RequestContext,
  ): Promise<Out<typeof checkHub>> {
    try {
      const source = await this.opener.normalize(given);
      const before = await this.settings.read();
      const key = readKey(before, source, connectionKey);
      const isKeyUnreadable = before.isKeyUnreadable && key === null;
      const hub = await this.opener.open({ ...before, source, key, isKeyUnreadable }, signal);
      const { listing, faults } = await hub.list();
      return {
        success: true,
        fault: null,
        items: hubItemTypes.reduce((sum, type) => sum + listing[type].items.length, 0),
        faults: faults.slice(0, shownFaults).map(({ item, fault }) => ({
          item,
          fault: toFault(fault),
        })),
      };
    } catch (error) {
      return { success: false, fault: toFault(error), items: 0, faults: [] };
    }
  }

  private describe({ source, downloads, key }: HubSetting): HubSettings {
    const isOwn = key !== null && key.origin === originOf(source);
    return {
      source,
      downloads,
      connectionKey: isOwn ? mask(key.key) : null,
      folders: [...this.opener.folders],
    };
  }
}

function readKey({ key }: HubSetting, source: HubSource, given: string | undefined): HubKey | null {
  if (given === undefined || given.startsWith(hubKeyMask)) return key;
  if (given === "") return null;
  const origin = originOf(source);
  if (origin === null) throw new CarrelError("hub.key-unused");
  // The same key isn't a change.
  return key?.key === given && key.origin === origin ? key : { origin, key: given };
}

const hostOf = (source: HubSource): string | undefined => {
  const origin = source.kind === "off" ? null : originOf(source);
  return origin === null ? undefined : new URL(origin).host;
};

/** Throws what isn't the hub's fault. */
function toFault(error: unknown) {
  const fault = toSourceFault(error);
  if (fault instanceof CarrelError) return fault.toFault();
  throw fault;
}
