import { getSearchState, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";

/** How far semantic search covers a workspace. */
@Controller()
export class SearchStateHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly embedder: Embedder,
  ) {}

  @Handle(getSearchState)
  async state(
    _input: In<typeof getSearchState>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSearchState>> {
    const { workspace } = requireWorkspace(scope);
    const { table, embedder } = await this.embedder.state();
    const [counts] = await this.dataSource.query<{ documents: number; embedded: number }[]>(
      `SELECT count(*)::int AS documents,
        (count(*) FILTER (WHERE embedded_model = $2))::int AS embedded
      FROM ingest.workspace_document
      WHERE workspace_id = $1 AND index_version IS NOT NULL`,
      [workspace.id, table],
    );
    return { ...counts!, embedder };
  }
}
