import {
  CarrelError,
  answerFinished,
  cursorTime,
  cutPage,
  documentFinished,
  faultWire,
  listDeliveries,
  readCursor,
  renderFault,
  replayDelivery,
  servicePrincipal,
  syncStopped,
  type EventPayload,
  type In,
  type Out,
  type Scope,
  type WebhookEvent,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  Reconciler,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { EventModule } from "../event/event.module.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { WebhookDeliveryJob } from "./webhook-delivery.job.ts";
import {
  WebhookDeliveries,
  WebhookDeliveryRepository,
  deliveryJob,
  type DeliveryCursor,
} from "./webhook-delivery.repository.ts";
import { WebhookHandler } from "./webhook.handler.ts";
import { WebhookRepository, mapDelivery } from "./webhook.repository.ts";

const scope: Scope = { principal: servicePrincipal, workspace: null };

interface Occurrence {
  id: string;
  event: WebhookEvent;
  workspaceId: number;
  at: string;
  data: Record<string, unknown>;
}

/**
 * Turns events of other services into deliveries. They carry ids, not contents: a receiver fetches
 * what it may see with its API key.
 */
@Injectable()
class WebhookEventConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  @Consume(answerFinished)
  answer(event: EventPayload<typeof answerFinished>): Promise<void> {
    const { id, workspaceId, at, chatId, threadSlug, userId, state } = event;
    return this.deliver({
      id,
      event: "answer.finished",
      workspaceId,
      at,
      data: { chatId, threadSlug, userId, state },
    });
  }

  @Consume(documentFinished)
  document(event: EventPayload<typeof documentFinished>): Promise<void> {
    const { id, workspaceId, at, documentId, title, docpath, state, reason } = event;
    return this.deliver({
      id,
      event: state === "ready" ? "document.ready" : "document.failed",
      workspaceId,
      at,
      data: {
        documentId,
        title,
        location: docpath,
        ...(reason !== null && { error: describeReason(reason) }),
      },
    });
  }

  @Consume(syncStopped)
  sync(event: EventPayload<typeof syncStopped>): Promise<void> {
    const { id, workspaceId, at, documentId, connectionId, title, isRemoved, fault } = event;
    return this.deliver({
      id,
      event: "sync.stopped",
      workspaceId,
      at,
      data: {
        documentId,
        sourceId: connectionId,
        title,
        removed: isRemoved,
        error: renderFault(fault),
      },
    });
  }

  private async deliver({ id, event, workspaceId, at, data }: Occurrence): Promise<void> {
    const webhooks = await this.webhooks.listWanting(scope, event, workspaceId);
    if (webhooks.length === 0) return;
    const [workspace] = await this.workspaces.listNames(scope, [workspaceId]);
    if (workspace === undefined) return;
    const payload = JSON.stringify({
      id,
      type: event,
      timestamp: at,
      workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
      data,
    });
    await this.dataSource.transaction((manager) =>
      this.deliveries.add(
        manager,
        webhooks.map((webhook) => ({ webhookId: webhook.id, eventId: id, event, payload })),
      ),
    );
  }
}

/** A reason is stored as a fault in JSON, or as text. */
function describeReason(reason: string): string {
  try {
    return renderFault(faultWire.parse(JSON.parse(reason)));
  } catch {
    return reason;
  }
}

const place = z.tuple([cursorTime, z.uuid()]);

@Controller()
class WebhookDeliveryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: WebhookDeliveries,
  ) {}

  @Handle(listDeliveries)
  async list(
    { id, state, cursor, limit }: In<typeof listDeliveries>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listDeliveries>> {
    if ((await this.webhooks.find(scope, id)) === null) throw new CarrelError("webhook.not-found");
    const after = cursor === undefined ? null : readPlace(cursor);
    const found = await this.deliveries.list(scope, id, { state, after, limit: limit + 1 });
    const { page, nextCursor } = cutPage(found, limit, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return { deliveries: page.map(mapDelivery), nextCursor };
  }

  @Handle(replayDelivery)
  async replay(
    { id, deliveryId }: In<typeof replayDelivery>,
    { scope }: RequestContext,
  ): Promise<Out<typeof replayDelivery>> {
    await this.dataSource.transaction(async (manager) => {
      const delivery = await this.deliveries.replay(scope, manager, id, deliveryId);
      if (delivery === null) throw new CarrelError("webhook.delivery-not-found");
      await this.queue.queue(manager, [delivery]);
    });
    return { success: true };
  }
}

function readPlace(cursor: string): DeliveryCursor {
  const [createdAt, id] = readCursor(place, cursor);
  return { createdAt, id };
}

const hourMs = 3_600_000;

/** Queues overdue deliveries again, and deletes old ones. */
@Injectable()
class WebhookDeliveryReconciler extends Reconciler {
  private lastPrune = 0;

  constructor(private readonly deliveries: WebhookDeliveryRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastPrune > hourMs) {
      this.lastPrune = Date.now();
      await this.deliveries.prune();
    }
    return (await this.deliveries.listDue()).map((delivery) => deliveryJob(delivery));
  }
}

@Module({
  imports: [EventModule, WorkspaceModule],
  controllers: [WebhookDeliveryHandler, WebhookHandler],
  providers: [
    WebhookDeliveries,
    WebhookDeliveryJob,
    WebhookDeliveryReconciler,
    WebhookDeliveryRepository,
    WebhookEventConsumer,
    WebhookRepository,
  ],
})
export class WebhookModule {}
