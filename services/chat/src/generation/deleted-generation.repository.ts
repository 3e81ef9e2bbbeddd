import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Answers deleted with their conversation whose streams may not have been ended. */
@Injectable()
export class DeletedGenerationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists those deleted at least `ageSeconds` ago. */
  async list(ageSeconds: number): Promise<string[]> {
    return (
      await queryRows<{ id: string }>(
        this.dataSource,
        `SELECT id FROM deleted_generation
        WHERE deleted_at < now() - make_interval(secs => $1)
        ORDER BY deleted_at LIMIT 1000`,
        [ageSeconds],
      )
    ).map(({ id }) => id);
  }

  async forget(ids: string[]): Promise<void> {
    if (ids.length > 0)
      await this.dataSource.query("DELETE FROM deleted_generation WHERE id = ANY($1::uuid[])", [
        ids,
      ]);
  }
}
