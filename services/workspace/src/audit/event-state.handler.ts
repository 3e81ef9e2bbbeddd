import { getEventLogState, verifyEvents, type Out, type Scope } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ChainRepository, type ChainHead } from "../event/chain.repository.ts";
import { ChainVerification } from "../event/chain-verification.ts";
import { EventRepository } from "../event/event.repository.ts";
import { SigningKeys } from "../event/signing-keys.ts";
import { ChainFault } from "../event-chain/chain-fault.ts";
import type { ChainVerifier } from "../event-chain/chain-verifier.ts";
import { signedForm } from "../event-chain/export-record.ts";
import { OutsideAnchors } from "../event-chain/outside-anchors.ts";
import { isSignedBy } from "../event-chain/signing.ts";
import { UserDirectory } from "../user/user-directory.ts";
import { AnchorFile } from "./anchor-file.ts";
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
    private readonly file: AnchorFile,
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
      const outside = await this.copies(scope, manager, head.instance);
      const { verifier, fault } = await this.verification.verify(
        manager,
        head.instance,
        head.sequence,
        outside,
      );
      const { report } = verifier;
      const found =
        fault ??
        (await this.findOther(scope, manager, verifier.head, head)) ??
        findUnanchored(verifier, outside);
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

  /** The copies of this instance's anchors; a line that anybody can write proves nothing. */
  private async copies(
    scope: Scope,
    manager: EntityManager,
    instance: string,
  ): Promise<OutsideAnchors> {
    const keys = new Map(
      (await this.keys.list(scope, manager)).map(({ fingerprint, publicKey }) => [
        fingerprint,
        publicKey,
      ]),
    );
    const anchors = (await this.file.read()).filter((anchor) =>
      isSignedBy(keys.get(anchor.key) ?? "", signedForm(instance, anchor), anchor.signature),
    );
    return new OutsideAnchors(anchors, "The data folder's copy");
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

/** Anchors that are missing in the database, or were signed for entries that are. */
function findUnanchored(verifier: ChainVerifier, outside: OutsideAnchors): ChainFault | null {
  const { sequence } = verifier.head;
  const signedAt = new Date().toISOString();
  try {
    verifier.addNow(signedAt);
    outside.finish({ sequence, signedAt });
    return null;
  } catch (fault) {
    if (fault instanceof ChainFault) return fault;
    throw fault;
  }
}
