import {
  CarrelError,
  importFinished,
  runImport,
  type Fault,
  type JobPayload,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Broadcast, Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { Connector } from "../connector/connector.ts";
import { connectors } from "./connectors.ts";
import type { Import } from "./import.entity.ts";
import { ImportRepository } from "./import.repository.ts";
import { ItemImporter } from "./item-importer.ts";

/**
 * Number of processes that may be killed while running an import, without progress in between,
 * before the import fails.
 */
const maxLostRuns = 3;

/** Runs an import; one that was interrupted continues with the items that are still pending. */
@Injectable()
export class ImportProcessor {
  constructor(
    private readonly imports: ImportRepository,
    private readonly importer: ItemImporter,
    private readonly box: SecretBox,
    private readonly broadcast: Broadcast,
  ) {}

  @Process(runImport, { concurrency: 16 })
  async run({ importId }: JobPayload<typeof runImport>, context: JobContext): Promise<void> {
    const open = await this.imports.beginRun(importId);
    if (open === null) return;
    try {
      if (open.openRuns > maxLostRuns)
        throw new CarrelError("import.given-up", { runs: maxLostRuns });
      await this.imports.finish(importId, await this.importAll(open, context));
    } catch (error) {
      if (!isFinal(error, context)) {
        await this.imports.endRun(importId);
        throw error;
      }
      await this.imports.finish(importId, toFault(error));
      await this.announce(importId);
      // Known faults are the outcome; anything else belongs in the log as well.
      if (!(error instanceof CarrelError)) throw error;
    }
    await this.announce(importId);
  }

  @ProcessFailed(runImport)
  async fail({ importId }: JobPayload<typeof runImport>): Promise<void> {
    await this.imports.finish(importId, { code: "request.failed" });
    await this.announce(importId);
  }

  private announce(importId: string): Promise<void> {
    return this.broadcast.publishEvent(importFinished, { importId });
  }

  /** Returns the fault of the first item that couldn't be imported, or null. */
  private async importAll(open: Import, context: JobContext): Promise<Fault | null> {
    const connector: Connector | undefined = connectors[open.connector as keyof typeof connectors];
    if (connector === undefined || open.sealedSettings === null)
      throw new CarrelError("request.given-up");
    const settings = connector.settings.parse(JSON.parse(this.box.open(open.sealedSettings)));
    if (open.state === "listing") {
      const items: unknown[] = [];
      const listing = connector.listItems(settings, this.importer.fetchContext(context.signal));
      for await (const item of listing) items.push(item);
      await this.imports.saveItems(open.id, items);
    }
    for (const row of await this.imports.listItems(open.id, "pending")) {
      const item = connector.item.parse(row.item);
      try {
        const fetched = await connector.fetchItem(
          item,
          settings,
          this.importer.fetchContext(context.signal),
        );
        const document = await this.importer.register(fetched, open, row.ordinal);
        await this.imports.finishItem(row, { document });
      } catch (error) {
        if (!isFinal(error, context)) throw error;
        await this.imports.finishItem(row, { fault: toFault(error) });
      }
    }
    const [failed] = await this.imports.listItems(open.id, "failed");
    return failed?.fault ?? null;
  }
}

/** Whether retrying is pointless; a stopping process leaves the item to the next one. */
const isFinal = (error: unknown, { lastAttempt, signal }: JobContext): boolean =>
  !signal.aborted && (lastAttempt || (error instanceof CarrelError && !error.isRetryable));

const toFault = (error: unknown): Fault =>
  error instanceof CarrelError ? error.toFault() : { code: "request.failed" };
