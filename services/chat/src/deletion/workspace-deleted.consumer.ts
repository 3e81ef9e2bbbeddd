import { Injectable } from "@nestjs/common";
import {
  confirmWorkspaceDeleted,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
} from "@carrel/contracts";
import { Consume, RequestClient } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { GenerationRepository } from "../generation/generation.repository.ts";
import { GenerationRunner } from "../generation/generation-runner.ts";

const batch = 500;

/**
 * A workspace is gone: stops what runs in it, deletes its threads, turns and memories, and says so.
 * Safe to run again.
 */
@Injectable()
export class WorkspaceDeletedConsumer {
  private readonly dataSource: DataSource;
  private readonly threads: ThreadRepository;
  private readonly generations: GenerationRepository;
  private readonly runner: GenerationRunner;
  private readonly memories: MemoryRepository;
  private readonly requests: RequestClient;

  constructor(
    dataSource: DataSource,
    threads: ThreadRepository,
    generations: GenerationRepository,
    runner: GenerationRunner,
    memories: MemoryRepository,
    requests: RequestClient,
  ) {
    this.dataSource = dataSource;
    this.threads = threads;
    this.generations = generations;
    this.runner = runner;
    this.memories = memories;
    this.requests = requests;
  }

  @Consume(workspaceDeleted)
  async delete({ workspaceId }: EventPayload<typeof workspaceDeleted>): Promise<void> {
    const { running, queued } = await this.generations.requestCancelAll(this.dataSource.manager, {
      workspaceId,
    });
    this.runner.stop(running);
    await this.runner.endDeleted(queued);
    while ((await this.threads.deleteWorkspaceBatch(workspaceId, batch)) > 0);
    await this.memories.deleteOfWorkspace(workspaceId);
    await this.requests.request(
      confirmWorkspaceDeleted,
      { workspaceId, service: "chat" },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
  }
}
