import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ChainRepository } from "../event/chain.repository.ts";
import { SigningKeys } from "../event/signing-keys.ts";
import { signedForm, type Anchor } from "../event-chain/export-record.ts";
import { AnchorFile } from "./anchor-file.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Signs the newest entry once a day (UTC), as soon as the day begins or Carrel starts. */
@Injectable()
export class AnchorReconciler extends Reconciler implements OnApplicationBootstrap {
  private anchoredDay = "";

  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ChainRepository,
    private readonly keys: SigningKeys,
    private readonly file: AnchorFile,
  ) {
    super();
  }

  /** Before any event is stored, so that each day with entries has an anchor. */
  async onApplicationBootstrap(): Promise<void> {
    await this.due();
  }

  override async due(): Promise<OutboxMessage[]> {
    const now = new Date().toISOString();
    const day = now.slice(0, 10);
    if (day !== this.anchoredDay) await this.anchor(day, now);
    this.anchoredDay = day;
    return [];
  }

  /** By one replica: the others find the day anchored. */
  private async anchor(today: string, signedAt: string): Promise<void> {
    const added = await this.dataSource.transaction(async (manager) => {
      const last = await this.chain.lastAnchor(serviceScope, manager);
      if (last !== null && last.day >= today) return [];
      const { instance, sequence, hash } = await this.chain.head(serviceScope, manager);
      const left = last && (await this.chain.lastDayAfter(serviceScope, manager, last));
      // Carrel stopped right after the first entries of a day, which had no anchor yet.
      const days = left !== null && left < today ? [left, today] : [today];
      const anchors: Anchor[] = [];
      for (const day of days) {
        const unsigned = { type: "anchor" as const, day, sequence, hash, signedAt };
        const text = signedForm(instance, unsigned);
        const anchor = { ...unsigned, ...(await this.keys.sign(serviceScope, manager, text)) };
        if (await this.chain.addAnchor(serviceScope, manager, anchor)) anchors.push(anchor);
      }
      return anchors;
    });
    for (const anchor of added) await this.file.append(anchor);
  }
}
