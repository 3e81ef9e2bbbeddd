import { createHash } from "node:crypto";
import { CarrelError, deliverFlowHook, parseJson, type In, type Out } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { addressGroup, Handle, Throttle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { DataSource } from "typeorm";
import { stripDeep } from "../database/null-character.ts";
import { FlowRuns } from "./flow-runs.ts";
import { FlowTriggerRepository, type FlowTrigger } from "./flow-trigger.repository.ts";

/** Failed attempts of one address: a burst, and the time to earn one more. */
const attempts = { capacity: 60, refillMs: 3_000 };
/** Messages of one webhook. */
const messages = { capacity: 60, refillMs: 1_000 };
const mostInputs = 100;
const longestName = 100;

/** Starts flows by signed messages (Standard Webhooks). */
@Controller()
export class FlowHookHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly triggers: FlowTriggerRepository,
    private readonly flowRuns: FlowRuns,
    private readonly throttle: Throttle,
    private readonly box: SecretBox,
  ) {}

  /** A repeated message starts nothing: the run's ID is made of the message's. */
  @Handle(deliverFlowHook)
  async deliver(
    { id, body, messageId, timestamp, signature }: In<typeof deliverFlowHook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deliverFlowHook>> {
    const failures = [{ key: `flow-hook-fails:${addressGroup(scope.address)}`, ...attempts }];
    await this.take(failures);
    const trigger = await this.triggers.find(id);
    const secret = this.open(trigger?.sealedSecret ?? null);
    const payload =
      trigger === null || secret === null
        ? undefined
        : verify(secret, body, {
            "webhook-id": messageId,
            "webhook-timestamp": timestamp,
            "webhook-signature": signature,
          });
    if (trigger === null || payload === undefined) throw new CarrelError("flow.hook-not-found");
    await this.throttle.refund(failures).catch(() => undefined);
    await this.take([{ key: `flow-hook:${id}`, ...messages }]);
    return { id: await this.start(trigger, messageId, payload.value) };
  }

  private async start(trigger: FlowTrigger, messageId: string, payload: unknown): Promise<string> {
    const { flowId, ownerId, workspaceId, approvals } = trigger;
    const id = runIdOf(trigger.id, messageId);
    await this.dataSource.transaction((manager) =>
      this.flowRuns.start(manager, {
        id,
        flowId,
        inputs: readInputs(payload),
        payload,
        trigger: "webhook",
        ownerId,
        workspaceId,
        approvals,
      }),
    );
    return id;
  }

  private async take(buckets: Parameters<Throttle["take"]>[0]): Promise<void> {
    // While Redis is down, signatures still protect the flow.
    const wait = await this.throttle.take(buckets).catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / 1_000);
    throw new CarrelError("flow.hook-too-often", { seconds }, { retryAfter: seconds });
  }

  /** null if there is none, or if it was sealed with another secret of the instance. */
  private open(sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.box.open(sealed);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return null;
    }
  }
}

/** The message's JSON; undefined if it isn't signed, or too old. Throws `flow.hook-invalid`. */
function verify(
  secret: string,
  body: string,
  headers: Record<string, string>,
): { value: unknown } | undefined {
  try {
    new Webhook(secret).verify(body, headers);
    return { value: stripDeep(parseJson(body)) };
  } catch (error) {
    if (error instanceof SyntaxError) throw new CarrelError("flow.hook-invalid");
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}

/** Texts and numbers of the message, as inputs of the same name. */
export const readInputs = (payload: unknown): Record<string, string> =>
  typeof payload !== "object" || payload === null || Array.isArray(payload)
    ? {}
    : Object.fromEntries(
        Object.entries(payload)
          .filter(([name]) => name.length <= longestName && name !== "__proto__")
          .flatMap(([name, value]) =>
            typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
          )
          .slice(0, mostInputs),
      );

/** A UUID of version 8. */
function runIdOf(triggerId: string, messageId: string): string {
  const hex = createHash("sha256").update(`${triggerId}/${messageId}`).digest("hex");
  const variant = "89ab"[parseInt(hex[16]!, 16) % 4]!;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}
