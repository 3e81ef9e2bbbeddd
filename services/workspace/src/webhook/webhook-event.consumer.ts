import {
  answerFinished,
  documentFinished,
  faultWire,
  renderFault,
  servicePrincipal,
  type EventPayload,
  type Scope,
  type WebhookEvent,
} from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { WebhookDeliveries } from "./webhook-deliveries.ts";
import { WebhookRepository } from "./webhook.repository.ts";

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
export class WebhookEventConsumer {
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
