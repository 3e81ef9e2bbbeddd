import { randomUUID } from "node:crypto";
import {
  CarrelError,
  checkFlowInput,
  isRecentlyProven,
  scheduleLimitLabel,
  schedulesLabel,
  type In,
  type Principal,
  type updateSchedule,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { ChatConfig } from "../chat.config.ts";
import { stripDeep } from "../database/null-character.ts";
import { FlowRepository, type FlowRow } from "../flow/flow.repository.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { createSigningSecret } from "./schedule-signature.ts";
import { checkTiming } from "./schedule-time.ts";
import {
  ScheduleRepository,
  type NewSchedule,
  type ScheduleFields,
  type ScheduleRow,
} from "./schedule.repository.ts";

/** What its owner writes. */
export type ScheduleContent = Omit<In<typeof updateSchedule>, "id">;

/** Whose schedule it is, and with which rights. */
interface Owner {
  userId: number | null;
  role: Principal["role"];
}

/** Creates and changes schedules within the limits of the instance. */
@Injectable()
export class ScheduleWriter {
  /** How many schedules a person can have unless an admin has set another limit. */
  readonly defaultLimit: number;
  readonly minimumSeconds: number;

  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly flows: FlowRepository,
    private readonly settings: SettingsCache,
    private readonly secretBox: SecretBox,
    @Inject(CONFIG) config: ChatConfig,
  ) {
    this.defaultLimit = config.CARREL_SCHEDULES_PER_PERSON;
    this.minimumSeconds = config.CARREL_SCHEDULE_MIN_SECONDS;
  }

  /** Whether an admin lets people schedule work. */
  async isOn(): Promise<boolean> {
    const { values } = await this.settings.getInstance();
    return values[schedulesLabel] !== "false";
  }

  /** How many schedules a person can have. */
  async findLimit(): Promise<number> {
    const { values } = await this.settings.getInstance();
    return Number(values[scheduleLimitLabel] ?? this.defaultLimit);
  }

  /**
   * Checks what its owner writes, before the transaction that stores it. `secret` is a new one, which
   * signs what its webhook gets.
   *
   * @param before null: a new one
   */
  async prepare(
    owner: Owner,
    content: ScheduleContent,
    before: ScheduleRow | null,
  ): Promise<{ fields: ScheduleFields; nextAt: Date; secret: string | null }> {
    const { name, work, timing, missed, delivery, approvals } = stripDeep(content);
    await this.checkSwitch();
    const { thread, webhook, onlyWhenChanged } = delivery;
    if (thread === "none" && webhook === null) throw new CarrelError("schedule.result-nowhere");
    const nextAt = checkTiming(timing, new Date(), this.minimumSeconds);
    if (work.kind === "flow") await this.checkFlow(work, owner);
    const isKnown = webhook !== null && webhook === this.openWebhook(before);
    const secret = webhook === null || isKnown ? null : createSigningSecret();
    return {
      fields: {
        name,
        work,
        timing,
        missed,
        thread,
        onlyWhenChanged,
        approvals,
        nextAt,
        sealedWebhook: webhook === null ? null : this.secretBox.seal(webhook),
        ...(!isKnown && { sealedSecret: secret === null ? null : this.secretBox.seal(secret) }),
      },
      nextAt,
      secret,
    };
  }

  /** Returns its ID. Throws `schedule.too-many`. */
  async create(
    manager: EntityManager,
    o: Pick<NewSchedule, "workspaceId" | "userId" | "byAgent">,
    fields: ScheduleFields,
  ): Promise<string> {
    const limit = await this.findLimit();
    // Counted once others' transactions of this person have ended.
    await manager.query("SELECT pg_advisory_xact_lock(hashtext('schedules'), $1)", [o.userId ?? 0]);
    if ((await this.schedules.count(manager, o.userId)) >= limit)
      throw new CarrelError("schedule.too-many", { limit });
    const id = randomUUID();
    await this.schedules.add(manager, { ...o, ...fields, id });
    return id;
  }

  /** When a schedule that continues is due next. Throws if it never is, or if the switch is off. */
  async findNext({ timing }: Pick<ScheduleRow, "timing">): Promise<Date> {
    await this.checkSwitch();
    return checkTiming(timing, new Date(), this.minimumSeconds);
  }

  async checkSwitch(): Promise<void> {
    if (!(await this.isOn())) throw new CarrelError("schedule.off");
  }

  /** null also for an address that can't be read: it was sealed under another instance secret. */
  openWebhook(row: Pick<ScheduleRow, "sealedWebhook"> | null): string | null {
    return row?.sealedWebhook == null ? null : this.open(row.sealedWebhook);
  }

  /** Where results are posted; null if it, or the secret that signs them, can't be read. */
  openDelivery(
    row: Pick<ScheduleRow, "sealedWebhook" | "sealedSecret">,
  ): { url: string; secret: string } | null {
    const url = this.openWebhook(row);
    const secret = row.sealedSecret == null ? null : this.open(row.sealedSecret);
    return url === null || secret === null ? null : { url, secret };
  }

  private open(sealed: string): string | null {
    try {
      return this.secretBox.open(sealed);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  /** Throws CarrelError if the owner may not run the flow, or if it can't start with these inputs. */
  private async checkFlow(
    { flowId, inputs }: { flowId: string; inputs: Readonly<Record<string, string>> },
    owner: Owner,
  ): Promise<void> {
    const flow = await this.flows.findIfAny(flowId);
    if (flow === null || !isRunnable(flow, owner))
      throw new CarrelError("schedule.flow-unavailable");
    for (const step of flow.steps)
      if (step.type === "start")
        for (const variable of step.config.variables) {
          const name = variable.name.trim();
          const code = checkFlowInput(variable, inputs[name] ?? variable.value);
          if (name !== "" && code !== null) throw new CarrelError(code, { name });
        }
  }

  /** Whether this owner may run the flow now. */
  async mayRun(flowId: string, owner: Pick<Owner, "role">): Promise<boolean> {
    const flow = await this.flows.findIfAny(flowId);
    return flow !== null && isRunnable(flow, owner);
  }
}

const isRunnable = (
  { active, shared }: Pick<FlowRow, "active" | "shared">,
  { role }: Pick<Owner, "role">,
): boolean => active && (shared || role === "admin");

/** Whether a change lets runs send to somewhere new, so that the session must have been proven. */
export function needsScheduleProof(
  principal: Principal,
  before: Pick<ScheduleRow, "approvals"> | null,
  { content, webhookBefore }: { content: ScheduleContent; webhookBefore: string | null },
): boolean {
  if (isRecentlyProven(principal)) return false;
  const { webhook } = content.delivery;
  if (webhook !== null && webhook !== webhookBefore) return true;
  const known = new Set((before?.approvals ?? []).map(approvalText));
  return content.approvals.some((approval) => !known.has(approvalText(approval)));
}

const approvalText = ({ tool, destination }: ScheduleContent["approvals"][number]): string =>
  JSON.stringify([tool, destination]);
