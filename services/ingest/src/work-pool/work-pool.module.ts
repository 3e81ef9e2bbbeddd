import { Module } from "@nestjs/common";
import { SearchPriority } from "./search-priority.ts";
import { WorkerPool } from "./worker-pool.ts";

@Module({
  providers: [SearchPriority, WorkerPool],
  exports: [SearchPriority, WorkerPool],
})
export class WorkPoolModule {}
