import {
  postScheduleResult,
  servicePrincipal,
  findWorkspaces,
  type FaultWire,
  type JobPayload,
} from "@carrel/contracts";
import { EgressError, createContentClient, type ContentClient } from "@carrel/egress";
import { Process, ProcessFailed, RequestClient, type JobContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { signMessage } from "../schedule/schedule-signature.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { ScheduleRunEnd, type ScheduledRun } from "./schedule-end.ts";
import { ScheduleRunRepository } from "./schedule-run.repository.ts";

/** Until the reply; receivers should answer first and work later. */
const timeoutMs = 15_000;
/** Of a reply, which isn't used. */
const maxBytes = 1_000_000;

/** Posts results to the addresses that their owners chose: public ones, without redirects. */
@Injectable()
export class ScheduleWebhook {
  private readonly content: ContentClient;

  constructor(
    private readonly runs: ScheduleRunRepository,
    private readonly end: ScheduleRunEnd,
    private readonly requests: RequestClient,
    private readonly writer: ScheduleWriter,
    @Inject(CONFIG) config: ChatConfig,
  ) {
    this.content = createContentClient({
      allow: config.CARREL_LINK_ALLOW,
      timeoutMs,
      maxBytes,
      maxRedirects: 0,
    });
  }

  @Process(postScheduleResult, { concurrency: 8 })
  async post(
    { runId }: JobPayload<typeof postScheduleResult>,
    { lastAttempt, signal }: JobContext,
  ): Promise<void> {
    const found = await this.end.find(runId);
    if (found?.run.webhookState !== "pending") return;
    const delivery = this.writer.openDelivery(found.schedule);
    if (delivery === null) {
      const isMissing = found.schedule.sealedWebhook === null;
      await this.note(runId, {
        isFinal: true,
        status: null,
        fault: { code: isMissing ? "schedule.webhook-missing" : "schedule.webhook-unreadable" },
      });
      return;
    }
    const { url, secret } = delivery;
    const body = JSON.stringify(await this.describe(found));
    try {
      const { status } = await this.content.fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Carrel-Webhook/1",
          ...signMessage(secret, { id: runId, at: new Date(), body }),
        },
        body,
        signal,
        mayFollow: () => Promise.resolve(false),
      });
      if (status >= 200 && status < 300)
        return await this.runs.noteDelivery(runId, { state: "delivered", status, fault: null });
      const fault = { code: "webhook.refused", params: { status } };
      // A receiver that sends 410 wants no more of these (Standard Webhooks).
      const isFinal = lastAttempt || status === 410;
      await this.note(runId, { isFinal, status, fault });
      if (!isFinal) throw new Error(`the receiver answered with status ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EgressError)) throw error;
      const isFinal = lastAttempt || !error.isRetryable;
      await this.note(runId, { isFinal, status: null, fault: error.fault });
      if (!isFinal)
        throw new Error(`couldn't reach a receiver: ${error.fault.code}`, { cause: error });
    }
  }

  @ProcessFailed(postScheduleResult)
  async giveUp({ runId }: JobPayload<typeof postScheduleResult>): Promise<void> {
    const found = await this.end.find(runId);
    if (found?.run.webhookState !== "pending") return;
    const { webhookStatus: status, webhookFault } = found.run;
    await this.note(runId, {
      isFinal: true,
      status,
      fault: webhookFault ?? { code: "request.failed" },
    });
  }

  private note(
    runId: string,
    o: { isFinal: boolean; status: number | null; fault: FaultWire },
  ): Promise<void> {
    const { isFinal, ...attempt } = o;
    return this.runs.noteDelivery(runId, { ...attempt, state: isFinal ? "failed" : "pending" });
  }

  private async describe({ run, schedule }: ScheduledRun): Promise<unknown> {
    const { workspaces } = await this.requests.request(
      findWorkspaces,
      { ids: [schedule.workspaceId] },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    return {
      id: run.id,
      type: "schedule.result",
      timestamp: (run.endedAt ?? new Date()).toISOString(),
      workspace: { id: schedule.workspaceId, slug: workspaces[0]?.slug ?? null },
      data: {
        schedule: { id: schedule.id, name: schedule.name },
        dueAt: run.dueAt.toISOString(),
        threadSlug: run.threadSlug,
        text: (await this.runs.findResult(run.id)) ?? "",
        deniedCalls: run.denied.length,
      },
    };
  }
}
