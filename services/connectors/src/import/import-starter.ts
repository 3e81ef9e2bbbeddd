import { randomUUID } from "node:crypto";
import { SecretBox } from "@carrel/database";
import { keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { z } from "zod";
import { connectors } from "./connectors.ts";
import { importJob } from "./import-job.ts";
import type { Import } from "./import.entity.ts";
import { ImportRepository } from "./import.repository.ts";

@Injectable()
export class ImportStarter {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly box: SecretBox,
    private readonly imports: ImportRepository,
  ) {}

  /** Returns the import's id; a repeated request gets the one it started before. */
  async start<Id extends keyof typeof connectors>(
    connector: Id,
    settings: z.input<(typeof connectors)[Id]["settings"]>,
    options: Pick<Import, "embed" | "metadata">,
    request: RequestContext,
  ): Promise<string> {
    const sealedSettings = this.box.seal(JSON.stringify(settings));
    const { id } = await keyed(this.dataSource, request, async (manager) => {
      const created = { id: randomUUID(), connector, sealedSettings, ...options };
      await this.imports.create(request.scope, manager, created);
      await this.outbox.add(manager, importJob(created.id));
      return { id: created.id };
    });
    return id;
  }
}
