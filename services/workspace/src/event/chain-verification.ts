import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ChainFault } from "../event-chain/chain-fault.ts";
import { ChainVerifier } from "../event-chain/chain-verifier.ts";
import type { Anchor } from "../event-chain/export-record.ts";
import type { OutsideAnchors } from "../event-chain/outside-anchors.ts";
import { interleave } from "../event-chain/read-lines.ts";
import { ChainRepository } from "./chain.repository.ts";
import { SigningKeys } from "./signing-keys.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Entries read and hashed at a time, so that neither memory nor the event loop suffers. */
const atOnce = 1_000;

interface Verified {
  /** Knows what was verified. */
  verifier: ChainVerifier;
  fault: ChainFault | null;
}

/** Verifies the log in the database, with the code that verifies exports. */
@Injectable()
export class ChainVerification {
  constructor(
    private readonly chain: ChainRepository,
    private readonly keys: SigningKeys,
  ) {}

  /** Verifies up to entry `to`, or to the first fault. */
  async verify(
    manager: EntityManager,
    instance: string,
    to: number,
    outside?: OutsideAnchors,
  ): Promise<Verified> {
    const verifier = new ChainVerifier(instance, await this.keys.list(serviceScope, manager));
    try {
      await this.feed(verifier, manager, to, outside);
      return { verifier, fault: null };
    } catch (fault) {
      if (fault instanceof ChainFault) return { verifier, fault };
      throw fault;
    }
  }

  private async feed(
    verifier: ChainVerifier,
    manager: EntityManager,
    to: number,
    outside?: OutsideAnchors,
  ): Promise<void> {
    const addAnchor = (anchor: Anchor): void => {
      verifier.addAnchor(anchor);
      outside?.addAnchor(anchor);
    };
    for (const checkpoint of await this.chain.checkpoints(serviceScope, manager)) {
      verifier.addCheckpoint(checkpoint);
      outside?.compare(verifier.head);
    }
    let after = verifier.head.sequence;
    for (const anchor of await this.chain.anchors(serviceScope, manager, { from: -1, to: after }))
      addAnchor(anchor);
    while (after < to) {
      const range = { from: after, to: Math.min(after + atOnce, to) };
      const events = await this.chain.events(serviceScope, manager, range);
      const anchors = await this.chain.anchors(serviceScope, manager, range);
      for (const record of interleave(events, anchors))
        if (record.type === "event") {
          verifier.addEvent(record);
          outside?.compare(verifier.head);
        } else addAnchor(record);
      after = range.to;
    }
  }
}
