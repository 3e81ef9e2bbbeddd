import {
  CarrelError,
  preparePublication,
  publishHubItem,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { toSourceFault } from "../connector/source-fault.ts";
import { findSecrets } from "./find-secrets.ts";
import { HubEvents } from "./hub-events.ts";
import { HubPublicationRepository } from "./hub-publication.repository.ts";
import { HubReader } from "./hub-reader.ts";
import type { Hub, Place } from "./hub.ts";
import { itemPath, readNewItem, toItemFile, type NewItem } from "./new-item.ts";

/** Publishes what people made here. Credentials aren't part of it, only their names. */
@Controller()
export class HubPublishHandler {
  constructor(
    private readonly hubs: HubReader,
    private readonly publications: HubPublicationRepository,
    private readonly events: HubEvents,
  ) {}

  @Handle(preparePublication)
  async prepare(
    input: In<typeof preparePublication>,
    { signal }: RequestContext,
  ): Promise<Out<typeof preparePublication>> {
    const item = readNewItem(input);
    const hub = await this.hubs.open(signal);
    const { id, path, isTaken } = await this.findPlace(hub, item, input.source);
    return {
      type: item.itemType,
      target: hub.kind,
      itemId: id,
      path,
      replaces: isTaken,
      content: toItemFile(item),
      secrets: findSecrets(item),
    };
  }

  @Handle(publishHubItem)
  async publish(
    { secretsSeen, itemId, ...input }: In<typeof publishHubItem>,
    { scope, signal }: RequestContext,
  ): Promise<Out<typeof publishHubItem>> {
    const item = readNewItem(input);
    const secrets = secretsSeen ? [] : findSecrets(item);
    if (secrets.length > 0)
      throw new CarrelError("hub.publish-secret", { places: secrets.slice(0, 5).join(", ") });
    const hub = await this.hubs.open(signal);
    const id = await this.write(hub, item, input.source, itemId);
    this.hubs.forget();
    if (hub.kind === "folder" && input.source !== undefined)
      await this.publications.save(hub.identity, item.itemType, input.source, id);
    await this.events.recordItem(scope, "community_hub_publish", {
      hub: hub.name,
      itemType: item.itemType,
      itemId: id,
    });
    return { success: true, error: null, item: { id } };
  }

  /** Where a review said, or else at the first place that nothing else takes in between. */
  private async write(
    hub: Hub,
    item: NewItem,
    source: string | undefined,
    reviewed: string | undefined,
  ): Promise<string> {
    for (;;) {
      const place = await this.findPlace(hub, item, source);
      if (reviewed !== undefined && reviewed !== place.id)
        throw new CarrelError("hub.publish-taken", { path: itemPath(item, reviewed) });
      const id = await hub.publish(item, place).catch((error: unknown) => {
        throw toSourceFault(error);
      });
      if (id !== null) return id;
    }
  }

  private async findPlace(hub: Hub, item: NewItem, source: string | undefined): Promise<Place> {
    const known =
      hub.kind === "folder" && source !== undefined
        ? await this.publications.find(hub.identity, item.itemType, source)
        : null;
    return hub.findPlace(item, known).catch((error: unknown) => {
      throw toSourceFault(error);
    });
  }
}
