import { getEventLogState, verifyEvents, type Out, type Scope } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ChainRepository, type ChainHead } from "../event/chain.repository.ts";
import { ChainVerification } from "../event/chain-verification.ts";
import { EventRepository } from "../event/event.repository.ts";
import { SigningKeys } from "../event/signing-keys.ts";
import { ChainFault } from "../event-chain/chain-fault.ts";
import { UserDirectory } from "../user/user-directory.ts";
import { EventRetention } from "./event-retention.ts";

type Verification = Out<typeof verifyEvents>;

@Controller()
export class EventStateHandler {
  constructor(
    private readonly chain: ChainRepository,
    private readonly verification: ChainVerification,
    private readonly events: EventRepository,
    private readonly keys: SigningKeys,
    private readonly retention: EventRetention,
    private readonly users: UserDirectory,
  ) {}

  @Handle(getEventLogState)
  async state(_input: unknown, { scope }: RequestContext): Promise<Out<typeof getEventLogState>> {
    const { events, userIds } = await this.events.listFilters(scope);
    const [users, retentionDays, chain] = await Promise.all([
      this.users.find(userIds),
      this.retention.days(),
      this.chain.snapshot(scope, async (manager) => ({
        ...(await this.chain.head(scope, manager)),
        keys: await this.keys.list(scope, manager),
        lastAnchor: await this.chain.lastAnchor(scope, manager),
        checkpoint: (await this.chain.checkpoints(scope, manager)).at(-1) ?? null,
      })),
    ]);
    return {
      ...chain,
      retentionDays,
      events,
      users: [...users.values()].map(({ id, username }) => ({ id, username })),
    };
  }

  @Handle(verifyEvents)
  verify(_input: unknown, { scope }: RequestContext): Promise<Verification> {
    return this.chain.snapshot(scope, async (manager) => {
      const head = await this.chain.head(scope, manager);
      const { verifier, fault } = await this.verification.verify(
        manager,
        head.instance,
        head.sequence,
      );
      const { report } = verifier;
      const found = fault ?? (await this.findOther(scope, manager, verifier.head, head));
      return {
        verified: found === null,
        events: report.events,
        anchors: report.anchors,
        checkpoints: report.checkpoints,
        first: report.first,
        last: report.last,
        lastAnchor: report.lastAnchor,
        fault: found && { code: found.code, sequence: found.sequence, reason: found.message },
      };
    });
  }

  /** Faults that only the database can have. */
  private async findOther(
    scope: Scope,
    manager: EntityManager,
    verified: Pick<ChainHead, "sequence" | "hash">,
    head: ChainHead,
  ): Promise<ChainFault | null> {
    if (verified.sequence !== head.sequence || verified.hash !== head.hash)
      return new ChainFault(
        "tail",
        verified.sequence + 1,
        `The log ends at entry ${verified.sequence} instead of ${head.sequence}`,
      );
    return (await this.chain.hasEventsBeyond(scope, manager, head.sequence))
      ? new ChainFault("unchained", null, "Some entries aren't part of the chain")
      : null;
  }
}
