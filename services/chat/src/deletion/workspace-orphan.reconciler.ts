import { Injectable } from "@nestjs/common";
import { RequestClient, WorkspaceOrphans } from "@carrel/messaging";
import { ThreadRepository } from "../thread/thread.repository.ts";

/** Threads and memories of workspaces that are gone are deleted. */
@Injectable()
export class OrphanReconciler extends WorkspaceOrphans {
  private readonly threads: ThreadRepository;
  constructor(threads: ThreadRepository, requests: RequestClient) {
    super(requests);
    this.threads = threads;
  }

  protected override listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    return this.threads.listWorkspaceIds(after, limit);
  }
}
