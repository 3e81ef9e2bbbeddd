import { Module } from "@nestjs/common";
import { WorkerPool } from "./worker-pool.ts";

@Module({
  providers: [WorkerPool],
  exports: [WorkerPool],
})
export class WorkPoolModule {}
